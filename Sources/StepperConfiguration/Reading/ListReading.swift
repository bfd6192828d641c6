/// Values of many pieces. More than are allowed are one problem, and those are left out.
extension ConfigurationReader {
  /// One value or an array of them.
  mutating func elements(_ node: DocumentNode, at path: ValuePath, upTo most: Int)
    -> [(node: DocumentNode, path: ValuePath)]
  {
    guard case .array(let array) = node else { return [(node, path)] }
    if array.elements.count > most {
      report("has \(array.elements.count) values; at most \(most) are allowed", at: path)
    }
    return array.elements.prefix(most).enumerated().map { ($0.element.node, path[$0.offset]) }
  }

  /// The entries of a table with any keys. `what` they are is said in the plural.
  mutating func entries(_ table: DocumentTable, upTo most: Int, _ what: String, at path: ValuePath)
    -> ArraySlice<DocumentTable.Entry>
  {
    if table.entries.count > most {
      report("has \(table.entries.count) \(what); at most \(most) are allowed", at: path)
    }
    return table.entries.prefix(most)
  }
}
