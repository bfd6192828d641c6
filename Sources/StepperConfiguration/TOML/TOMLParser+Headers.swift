/// `[a.b]` and `[[a.b]]`.
extension TOMLParser {
  mutating func parseHeader() throws(SyntaxError) {
    let start = cursor.offset
    // Until the table of the header is known, keys go into a table that is discarded.
    (table, tablePath, path) = (DocumentTable(.header), .root, .root)
    _ = cursor.take("[")
    let isElement = cursor.take("[")
    cursor.skipBlanks()
    guard cursor.peek.map({ isBareKeyByte($0) || isQuote($0) || $0 >= 0x80 }) == true else {
      throw SyntaxError("there is no name of a table here, found \(cursor.found)", at: cursor.offset)
    }
    let keys = try parseKey()
    tablePath = path
    guard cursor.take("]"), !isElement || cursor.take("]") else {
      throw SyntaxError(
        "needs \"\(isElement ? "]]" : "]")\" after the name of the table, found \(cursor.found)",
        at: cursor.offset)
    }
    try enter(keys, isElement: isElement, at: start)
    table.statementEnd = cursor.offset
    sections.append(DocumentSection(table: table, start: start))
  }

  private mutating func enter(_ keys: [KeyPart], isElement: Bool, at start: Int) throws(SyntaxError) {
    var parent = root
    var parentPath = ValuePath.root
    for key in keys.dropLast() { parent = try superTable(key, in: parent, &parentPath, at: start) }
    guard let last = keys.last else { return }
    let former = parent.entry(last.text)
    tablePath = parentPath[last.text]
    path = tablePath
    let line = text.line(at: former?.offset ?? start)
    switch (former?.node, isElement) {
    case (nil, false):
      table = DocumentTable(.header)
      parent.append(.table(table), last.text, at: start)
    case (nil, true):
      let array = DocumentArray(hasHeaders: true)
      parent.append(.array(array), last.text, at: start)
      enterElement(of: array, at: start)
    case (.table(let found), false) where found.origin == .implicit:
      found.origin = .header
      table = found
    case (.array(let found), true) where found.hasHeaders: enterElement(of: found, at: start)
    case (.table, false):
      throw SyntaxError("is already defined in line \(line); add its keys there", at: start)
    case (let node?, _): throw SyntaxError("is \(node.kind) already, in line \(line)", at: start)
    }
  }

  private mutating func enterElement(of array: DocumentArray, at start: Int) {
    tablePath = tablePath[array.elements.count]
    path = tablePath
    table = DocumentTable(.header)
    array.append(.table(table), at: start..<cursor.offset)
  }

  /// The table `a` of `[a.b]`.
  private func superTable(
    _ key: KeyPart, in parent: DocumentTable, _ path: inout ValuePath, at start: Int
  ) throws(SyntaxError) -> DocumentTable {
    path = path[key.text]
    guard let former = parent.entry(key.text) else {
      let new = DocumentTable(.implicit)
      parent.append(.table(new), key.text, at: start)
      return new
    }
    switch former.node {
    case .table(let found) where found.origin != .inline: return found
    case .array(let array) where array.hasHeaders:
      guard let last = array.lastTable else { break }
      path = path[array.elements.count - 1]
      return last
    default: break
    }
    throw isComplete(former, at: start)
  }
}
