internal import Varlink

/// Names: `a`, `"a b"` and `a."b".c`.
extension TOMLParser {
  struct KeyPart {
    let text: String
    let offset: Int
  }

  /// Reads a key of at most ``ConfigurationLimit/nesting`` parts and the blanks after it; appends the key to ``path``.
  mutating func parseKey() throws(SyntaxError) -> [KeyPart] {
    var parts: [KeyPart] = []
    repeat {
      cursor.skipBlanks()
      let offset = cursor.offset
      let text = try parseKeyPart()
      guard text.utf8.count <= ConfigurationLimit.keyBytes else {
        throw SyntaxError(
          "the name is \(text.utf8.count) bytes long; at most \(ConfigurationLimit.keyBytes) are allowed",
          at: offset)
      }
      parts.append(KeyPart(text: text, offset: offset))
      guard path.components.count + parts.count <= ConfigurationLimit.nesting else {
        throw tooDeep(at: offset)
      }
      cursor.skipBlanks()
    } while cursor.take(".")
    path.components += parts.map { .key($0.text) }
    return parts
  }

  private mutating func parseKeyPart() throws(SyntaxError) -> String {
    let start = cursor.offset
    guard cursor.quotes < 3 else {
      throw SyntaxError("a name stands in one quote on each side, not three", at: start)
    }
    if cursor.quotes > 0 { return try parseString() }
    let key = cursor.take(while: isBareKeyByte)
    guard !key.isEmpty, !(cursor.peek.map(isLikelyPartOfKey) ?? false) else {
      // The rest of the word is part of the invalid key.
      cursor.move(to: start)
      throw noKey(at: start)
    }
    return OutsideText.shown(key)
  }

  private func isLikelyPartOfKey(_ byte: UInt8) -> Bool {
    byte >= 0x80 || "!$%&*+/<>?@\\^|~".utf8.contains(byte)
  }

  private func noKey(at start: Int) -> SyntaxError {
    let found = cursor.found
    if cursor.isAtEndOfLine { return SyntaxError("there is no name here, found \(found)", at: start) }
    if cursor.isAt("=") { return SyntaxError("there is no name before \"=\"", at: start) }
    if cursor.isAtForeignComment {
      return SyntaxError("a comment begins with #, found \(found)", at: start)
    }
    if isSmartQuote(at: start) {
      return SyntaxError("a name stands in straight quotes (\"), or in none, found \(found)", at: start)
    }
    let isNearlyKey = cursor.peek.map { isBareKeyByte($0) || isLikelyPartOfKey($0) } == true
    let message =
      isNearlyKey
      ? "a name with other characters than letters, digits, - and _ needs quotes, found \(found)"
      : "there is no name here, found \(found)"
    return SyntaxError(message, at: start)
  }

  /// Reads `a.b = value`; leaves ``path`` at the value.
  mutating func parseAssignment(in table: DocumentTable) throws(SyntaxError) {
    let keys = try parseKey()
    guard cursor.take("=") else {
      throw SyntaxError(
        cursor.isAt(":")
          ? "a value is given with \"=\", found \":\""
          : "needs \"=\" and a value after the name, found \(cursor.found)", at: cursor.offset)
    }
    cursor.skipBlanks()
    let valueOffset = cursor.offset
    let node = try parseValue()
    try define(keys, as: node, at: valueOffset..<cursor.offset, in: table)
  }

  private func define(
    _ keys: [KeyPart], as node: DocumentNode, at value: Range<Int>, in table: DocumentTable
  ) throws(SyntaxError) {
    var table = table
    table.statementEnd = value.upperBound
    for key in keys.dropLast() {
      table = try dottedTable(key, in: table)
      table.statementEnd = value.upperBound
    }
    guard let last = keys.last else { return }
    if let former = table.entry(last.text) {
      throw SyntaxError(
        "is already defined in line \(text.line(at: former.offset)); remove one of the two",
        at: last.offset)
    }
    table.append(node, last.text, at: last.offset, value: value)
  }

  /// The table `a` of `a.b = 1`. A table with a header, or in braces, may not be extended like this.
  private func dottedTable(_ key: KeyPart, in table: DocumentTable) throws(SyntaxError) -> DocumentTable {
    guard let former = table.entry(key.text) else {
      let new = DocumentTable(.dotted)
      table.append(.table(new), key.text, at: key.offset)
      return new
    }
    guard case .table(let found) = former.node, found.origin == .dotted || found.origin == .implicit else {
      throw isComplete(former, at: key.offset)
    }
    found.origin = .dotted
    return found
  }

  func isComplete(_ entry: DocumentEntry, at offset: Int) -> SyntaxError {
    SyntaxError(
      "\(quoted(entry.key)) is \(entry.node.kind) already, in line \(text.line(at: entry.offset)), to which nothing can be added here",
      at: offset)
  }
}
