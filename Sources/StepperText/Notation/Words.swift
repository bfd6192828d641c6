package import StepperCore

/// The words of a line, read from left to right. Reading never traps: a missing word is an error that names the
/// expected word.
package struct Words {
  private var rest: ArraySlice<Substring>

  package init(_ words: ArraySlice<Substring>) { rest = words }

  /// A line of `words`, without those that are empty.
  static func line(_ words: String...) -> String { words.filter { !$0.isEmpty }.joined(separator: " ") }

  /// Splits at blanks.
  package init(_ line: some StringProtocol) {
    // A word may begin with a combining character.
    rest = Substring(line).unicodeScalars.split { $0 == " " || $0 == "\t" }.map(Substring.init)[...]
  }

  package var isEmpty: Bool { rest.isEmpty }
  /// The next word, without taking it.
  package var first: Substring? { rest.first }
  package var count: Int { rest.count }

  /// Takes the next word. If there is none, the error says that `expected` is missing.
  package mutating func next(_ expected: String) throws(NotationError) -> Substring {
    guard let word = rest.popFirst() else {
      throw NotationError("\(expected) is missing at the end of the line")
    }
    return word
  }

  /// Takes the next word if it is `word`.
  package mutating func take(_ word: String) -> Bool {
    guard let next = rest.first, next.isExactly(word) else { return false }
    rest.removeFirst()
    return true
  }

  /// Takes all words up to and including the first `word`, and returns those before it.
  package mutating func all(before word: String) -> Words {
    let end = rest.firstIndex { $0.isExactly(word) } ?? rest.endIndex
    defer { rest = rest[min(end + 1, rest.endIndex)...] }
    return Words(rest[..<end])
  }

  /// Whether the remaining words are those of `text`.
  package func isExactly(_ text: String) -> Bool { rest.joined(separator: " ").isExactly(text) }

  /// Takes all remaining words.
  package mutating func all() -> ArraySlice<Substring> {
    defer { rest = [] }
    return rest
  }

  /// Throws if there are more words.
  package func end() throws(NotationError) {
    guard let word = rest.first else { return }
    throw NotationError("\(NotationError.quoted(word)) is not expected here; the line should end before it")
  }

  package mutating func integer<Number: FixedWidthInteger>(
    _ expected: String, as type: Number.Type = Number.self
  ) throws(NotationError) -> Number {
    try Self.integer(try next(expected), expected)
  }

  package static func integer<Number: FixedWidthInteger>(
    _ word: some StringProtocol, _ expected: String, as type: Number.Type = Number.self
  ) throws(NotationError) -> Number {
    guard word.utf8.count <= 24, let number = Number(word) else {
      throw NotationError(
        "\(NotationError.quoted(word)) is no \(expected), a whole number from \(Number.min) to \(Number.max)")
    }
    return number
  }
}

extension StringProtocol {
  /// Whether the scalars are the same. `==` also equates texts that are canonically equivalent.
  package func isExactly(_ other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension Words {
  /// A number, or `unset`.
  package mutating func value(_ expected: String) throws(NotationError) -> FixedPoint? {
    try Self.value(try next(expected), expected)
  }

  package static func value(_ word: Substring, _ expected: String) throws(NotationError) -> FixedPoint? {
    if word == "unset" { return nil }
    guard word.utf8.count <= 40, let number = FixedPoint(word) else {
      throw NotationError("\(NotationError.quoted(word)) is no \(expected), a decimal number or unset")
    }
    return number
  }
}
