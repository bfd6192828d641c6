/// A text from outside: bytes, of which there are no more than its reader accepts. It is compared and hashed as bytes.
///
/// A `String` is compared, hashed and searched by canonical equivalence, which takes time in the square of the longest run
/// of combining characters. It is made of outside bytes here alone, as a name, a text, or something to show; what a
/// `String` does takes time proportional to its length from then on.
package struct OutsideText: Hashable, Sendable {
  /// The bytes as they came.
  package let bytes: [UInt8]

  /// The most combining characters that a text has in a row: as many as Unicode's stream-safe text format (UAX #15)
  /// allows, and so more than any language needs.
  package static let mostCombiningCharacters = 30

  /// What a ``text`` must be, for messages: "it is not …".
  package static let requirement =
    "UTF-8 with at most \(mostCombiningCharacters) combining characters in a row"

  /// nil: there are more than `limit` bytes.
  package init?(_ bytes: some Collection<UInt8>, atMost limit: Int) {
    guard bytes.count <= limit else { return nil }
    self.bytes = Array(bytes)
  }

  package static func == (left: OutsideText, right: OutsideText) -> Bool {
    left.bytes.span.hasSameElements(as: right.bytes.span)
  }

  package func hash(into hasher: inout Hasher) {
    unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
  }

  /// A name of printable ASCII without a space; nil if it is another text or empty.
  package var name: String? { Self.name(bytes.span) }

  /// The text; nil if it is not UTF-8 or has more combining characters in a row than
  /// ``mostCombiningCharacters``.
  package var text: String? { Self.text(bytes.span) }

  /// The text for a person: `\u{fffd}` stands for what is not UTF-8, and for combining characters beyond
  /// ``mostCombiningCharacters`` in a row.
  package var shown: String { Self.shown(bytes.span) }
}

extension OutsideText {
  /// The ``name`` that `bytes` are.
  package static func name(_ bytes: Span<UInt8>) -> String? {
    guard !bytes.isEmpty else { return nil }
    for index in bytes.indices where !(0x21...0x7e).contains(bytes[index]) { return nil }
    return unsafe String(copying: UTF8Span(unchecked: bytes, isKnownASCII: true))
  }

  /// The ``text`` that `bytes` are.
  package static func text(_ bytes: Span<UInt8>) -> String? {
    // Whether there is a text is all that is asked.
    guard let text = try? UTF8Span(validating: bytes) else { return nil }
    guard !text.isKnownASCII else { return String(copying: text) }
    var scalars = text.makeUnicodeScalarIterator()
    var run = CombiningRun()
    while let scalar = scalars.next() {
      guard run.takes(scalar) else { return nil }
    }
    return String(copying: text)
  }

  /// Whether `bytes` are UTF-8.
  package static func isUTF8(_ bytes: Span<UInt8>) -> Bool {
    // Whether there is a text is all that is asked.
    (try? UTF8Span(validating: bytes)) != nil
  }

  /// The ``text`` that `bytes` are.
  package static func text(_ bytes: some Sequence<UInt8>) -> String? { text(Array(bytes).span) }

  /// The ``shown`` text of `bytes`.
  package static func shown(_ bytes: some Sequence<UInt8>) -> String { shown(Array(bytes).span) }

  /// The arguments of this process, without its name; nil if one of them is no ``text``.
  package static var arguments: [String]? {
    var arguments: [String] = []
    for argument in CommandLine.arguments.dropFirst() {
      guard let text = text(argument.utf8) else { return nil }
      arguments.append(text)
    }
    return arguments
  }

  /// The text that ends with a NUL; nil: there are more than `limit` bytes before it.
  package init?(_ text: UnsafePointer<CChar>, atMost limit: Int) {
    var count = 0
    while unsafe text[count] != 0 {
      count += 1
      guard count <= limit else { return nil }
    }
    bytes = unsafe UnsafeBufferPointer(start: text, count: count).map { UInt8(bitPattern: $0) }
  }

  /// The text that ends with a NUL, as ``shown``; no more than `limit` bytes of it.
  package static func shown(_ text: UnsafePointer<CChar>, upTo limit: Int = .max) -> String {
    var bytes: [UInt8] = []
    while bytes.count < limit, unsafe text[bytes.count] != 0 {
      unsafe bytes.append(UInt8(bitPattern: text[bytes.count]))
    }
    return shown(bytes.span)
  }

  /// The ``shown`` text of `bytes`.
  package static func shown(_ bytes: Span<UInt8>) -> String {
    if let text = text(bytes) { return text }
    var shown = String.UnicodeScalarView()
    var run = CombiningRun()
    let repaired = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    for scalar in repaired.unicodeScalars {
      shown.append(run.takes(scalar) ? scalar : "\u{fffd}")
    }
    return String(shown)
  }

  /// Counts the combining characters in a row.
  private struct CombiningRun {
    private var count = 0

    /// Whether there is room for `scalar` behind those before.
    mutating func takes(_ scalar: Unicode.Scalar) -> Bool {
      // None is below.
      let isCombining = scalar.value >= 0x300 && scalar.properties.canonicalCombiningClass != .notReordered
      count = isCombining ? count + 1 : 0
      return count <= OutsideText.mostCombiningCharacters
    }
  }
}
