/// `[a.b]` and `[[a.b]]`.
extension TOMLParser {
  mutating func parseHeader() throws(SyntaxError) {
    let start = cursor.offset
    // Until it is clear which table it is, what follows goes nowhere.
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
  }

  private mutating func enter(_ keys: [KeyPart], isElement: Bool, at start: Int) throws(SyntaxError) {
    var parent = root
    var parentPath = ValuePath.root
    for key in keys.dropLast() {
      parent = try superTable(key, in: parent, &parentPath, at: start)
    }
    guard let last = keys.last else { return }
    let former = parent.entry(last.text)
    tablePath = parentPath[last.text]
    path = tablePath
    guard !isElement else { return try enterElement(last, former, in: parent, at: start) }
    switch former?.node {
    case nil:
      table = DocumentTable(.header)
      parent.append(.table(table), last.text, keyOffset: start)
    case .table(let found) where found.origin == .implicit:
      found.origin = .header
      table = found
    default: throw isThereAlready(former, isElement: false, at: start)
    }
  }

  private mutating func enterElement(
    _ key: KeyPart, _ former: DocumentTable.Entry?, in parent: DocumentTable, at start: Int
  ) throws(SyntaxError) {
    let array: DocumentArray
    switch former?.node {
    case nil:
      array = DocumentArray(hasHeaders: true)
      parent.append(.array(array), key.text, keyOffset: start)
    case .array(let found) where found.hasHeaders: array = found
    default: throw isThereAlready(former, isElement: true, at: start)
    }
    tablePath = tablePath[array.elements.count]
    path = tablePath
    table = DocumentTable(.header)
    array.append(.table(table), at: start)
  }

  private func isThereAlready(_ former: DocumentTable.Entry?, isElement: Bool, at start: Int) -> SyntaxError {
    let line = text.line(at: former?.keyOffset ?? start)
    if case .table = former?.node, !isElement {
      return SyntaxError("is there already, in line \(line); what belongs to it must stand there", at: start)
    }
    return SyntaxError("is \(former?.node.kind ?? "") already, in line \(line)", at: start)
  }

  /// The table `a` of `[a.b]`.
  private func superTable(
    _ key: KeyPart, in parent: DocumentTable, _ path: inout ValuePath, at start: Int
  ) throws(SyntaxError) -> DocumentTable {
    path = path[key.text]
    guard let former = parent.entry(key.text) else {
      let new = DocumentTable(.implicit)
      parent.append(.table(new), key.text, keyOffset: start)
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
