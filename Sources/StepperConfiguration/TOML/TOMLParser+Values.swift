/// Arrays and tables in braces, and the choice of the parser for a value.
extension TOMLParser {
  mutating func parseValue() throws(SyntaxError) -> DocumentNode {
    guard path.components.count <= ConfigurationLimit.nesting else { throw tooDeep(at: cursor.offset) }
    switch cursor.peek {
    case "\""?, "'"?: return .string(try parseString(quotes: cursor.quotes >= 3 ? 3 : 1))
    case "["?: return .array(try parseArray())
    case "{"?: return .table(try parseInlineTable())
    case "#"?, ","?, "]"?, "}"?, "="?, "\n"?, "\r"?, nil:
      throw SyntaxError("there is no value here, found \(cursor.found)", at: cursor.offset)
    default: return try parseScalar()
    }
  }

  func tooDeep(at offset: Int) -> SyntaxError {
    SyntaxError("is nested too deeply; at most \(ConfigurationLimit.nesting) levels are allowed", at: offset)
  }

  private mutating func parseArray() throws(SyntaxError) -> DocumentArray {
    let start = cursor.offset
    cursor.advance()
    openBrackets += 1
    let array = DocumentArray()
    while true {
      cursor.skipTrivia()
      if cursor.take("]") { break }
      guard cursor.peek != nil else {
        throw SyntaxError("the array that begins here has no \"]\"", at: start)
      }
      let offset = cursor.offset
      path.components.append(.index(array.elements.count))
      let value = try parseValue()
      array.append(value, at: offset..<cursor.offset)
      path.components.removeLast()
      cursor.skipTrivia()
      guard !cursor.take(","), cursor.peek != nil else { continue }
      if cursor.take("]") { break }
      throw SyntaxError(
        "needs \",\" or \"]\" after a value of the array that begins in line \(text.line(at: start)), found \(cursor.found)",
        at: cursor.offset)
    }
    openBrackets -= 1
    return array
  }

  private mutating func parseInlineTable() throws(SyntaxError) -> DocumentTable {
    let (depth, start) = (path.components.count, cursor.offset)
    cursor.advance()
    openBrackets += 1
    let table = DocumentTable(.dotted)
    table.statementEnd = cursor.offset
    var isSplit = false
    try skipBlanks(inTableAt: start, afterValue: false, &isSplit)
    while !cursor.take("}") {
      try parseAssignment(in: table)
      path.components.removeLast(path.components.count - depth)
      try skipBlanks(inTableAt: start, afterValue: true, &isSplit)
      if cursor.take("}") { break }
      let comma = cursor.offset
      guard cursor.take(",") else {
        throw SyntaxError(
          "needs \",\" or \"}\" after a value of a table in braces, found \(cursor.found)", at: comma)
      }
      try skipBlanks(inTableAt: start, afterValue: false, &isSplit)
      guard cursor.isAt("}"), !isSplit else { continue }
      note(SyntaxError("no \",\" may follow the last value of a table in braces", at: comma))
    }
    if isSplit {
      note(
        SyntaxError(
          "a table in braces must be on one line; write it as [TABLE] with a line for each key instead",
          at: start))
    }
    openBrackets -= 1
    table.origin = .inline
    return table
  }

  /// Skips blanks in an inline table. A table that continues on the next line is read to its end and reported as one
  /// error.
  private mutating func skipBlanks(
    inTableAt start: Int, afterValue: Bool, _ isSplit: inout Bool
  ) throws(SyntaxError) {
    cursor.skipBlanks()
    guard cursor.isAtEndOfLine || cursor.isAt("#") else { return }
    isSplit = true
    cursor.skipTrivia()
    let goesOn =
      switch cursor.peek {
      case "}"?: true
      case ","?: afterValue
      case let byte?: !afterValue && (isBareKeyByte(byte) || isQuote(byte))
      case nil: false
      }
    guard goesOn else {
      throw SyntaxError("the table in braces that begins here has no \"}\" in its line", at: start)
    }
  }
}
