/// A text that is read from its beginning, one Unicode scalar at a time.
struct TextScanner {
  private let scalars: [Unicode.Scalar]
  /// The index of the scalar to be read next.
  private(set) var position = 0

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  /// The next scalar; nil at the end.
  var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  /// Whether nothing but blanks is left.
  var isBlank: Bool { scalars[position...].allSatisfy(\.isBlank) }

  mutating func rewind() { position = 0 }

  mutating func skip(while isSkipped: (Unicode.Scalar) -> Bool) {
    while let scalar = next, isSkipped(scalar) { position += 1 }
  }

  /// Reads `scalar` if it comes next.
  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    position += 1
    return true
  }

  /// Reads `word`, which must be lower-case ASCII, if it comes next. Case is ignored.
  mutating func takeWord(_ word: String) -> Bool {
    var attempt = self
    for scalar in word.unicodeScalars {
      guard let next = attempt.next, next.asciiLowercased == scalar else { return false }
      attempt.position += 1
    }
    self = attempt
    return true
  }

  /// Reads scalars that `value` maps to digits, at most `limit` of them.
  mutating func takeDigits(_ value: (Unicode.Scalar) -> UInt8?, atMost limit: Int = .max) -> [UInt8] {
    var digits: [UInt8] = []
    while digits.count < limit, let digit = next.flatMap(value) {
      digits.append(digit)
      position += 1
    }
    return digits
  }

  /// The error for the text at the position, where `what` is expected.
  func expected(_ what: String) -> TextRefusal {
    .expected(what, character: character, found: text(from: position, to: scalars.count).first?.shortened)
  }

  /// The position as people count it: in characters, from 1.
  var character: Int { text(from: 0, to: position).count + 1 }

  private func text(from start: Int, to end: Int) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[start..<end])
    return String(text)
  }
}

extension Character {
  /// The character, or only its first scalar if it has more than ten, because a character may have hundreds of accents.
  fileprivate var shortened: Character {
    guard unicodeScalars.count > 10, let first = unicodeScalars.first else { return self }
    return Character(first)
  }
}

extension Unicode.Scalar {
  /// White space according to C's `isspace`.
  var isBlank: Bool { self == " " || (0x09...0x0d).contains(value) }

  /// The lower-case letter for an upper-case ASCII letter; locales and other scripts are ignored.
  fileprivate var asciiLowercased: Unicode.Scalar {
    ("A"..."Z").contains(self) ? Unicode.Scalar(UInt8(value + 0x20)) : self
  }

  var asciiDigit: UInt8? { ("0"..."9").contains(self) ? UInt8(value - 0x30) : nil }

  var hexadecimalDigit: UInt8? {
    let letter = value | 0x20
    return asciiDigit ?? ((0x61...0x66).contains(letter) ? UInt8(letter - 0x61 + 10) : nil)
  }

  /// The value of a decimal digit of any script, as `g_unichar_digit_value` returns it.
  var digitOfAnyScript: UInt8? {
    guard properties.generalCategory == .decimalNumber else { return nil }
    return properties.numericValue.flatMap { UInt8(exactly: $0) }
  }
}
