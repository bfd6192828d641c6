extension DocumentEditor {
  /// Gives the key or element at `path` a value. What it had is replaced; a new key is written behind the others of
  /// its table, in the form that the table has. A table that does not exist yet is made.
  package mutating func set(_ path: ValuePath, to literal: ValueLiteral) throws(EditRefusal) {
    let change = DocumentChange(path: path, kind: .set(literal))
    if let node = node(at: path) {
      if literal.isSame(as: node) { return }
      guard let range = valueRange(of: path) else {
        throw refusal(of: change, because: "it is a table with lines of its own")
      }
      return try apply([TextEdit(range, literal.description)], for: change)
    }
    let place = try place(of: path, for: change)
    guard let last = place.rest.last else { throw refusal(of: change, because: "there is no key to set") }
    let isNewTable = place.rest.count > 1
    switch place.table.origin {
    case .implicit where isNewTable, .header where isNewTable && place.isRoot:
      let table = ValuePath(components: path.components.dropLast())
      try apply([header(of: table, [.init(last, literal)])], for: change)
    case .inline: try apply([insertion(of: literal, place)], for: change)
    case .header, .dotted: try apply([line(for: literal, place)], for: change)
    case .implicit:
      // Only its own tables have implied it so far: its header comes before the first of them.
      let offset = try start(of: place.path, change, else: "\(place.path) has no line of its own")
      try apply([header(of: place.path, [.init(last, literal)], before: offset)], for: change)
    }
  }

  /// Sets each of `entries` in the table at `path`, which is made in one piece if it does not exist.
  package mutating func merge(_ entries: [ValueLiteral.Entry], into path: ValuePath) throws(EditRefusal) {
    guard has(path) else { return try set(path, to: .table(entries)) }
    for entry in entries { try set(path[entry.key], to: entry.value) }
  }

  /// The text of a value; nil of a table or array that has headers or dotted keys.
  func valueRange(of path: ValuePath) -> Range<Int>? {
    guard let last = path.components.last,
      let parent = node(at: ValuePath(components: path.components.dropLast()))
    else { return nil }
    switch (parent, last) {
    case (.table(let table), .key(let key)):
      guard let entry = table.entry(key), let start = entry.valueOffset, let end = entry.valueEnd else {
        return nil
      }
      return start..<end
    case (.array(let array), .index(let index)) where !array.hasHeaders:
      guard array.elements.indices.contains(index) else { return nil }
      return array.elements[index].offset..<array.elements[index].end
    default: return nil
    }
  }

  /// The innermost table on the way to a key, and what is missing.
  struct Place {
    var table: DocumentTable
    /// Its path.
    var path: ValuePath
    var isRoot: Bool
    /// The keys from `table` to the value.
    var rest: [String]
    /// The table whose header or braces its keys are written behind, and the keys from there to `table`.
    var enclosing: DocumentTable
    var prefix: [String]
  }

  func place(of path: ValuePath, for change: DocumentChange) throws(EditRefusal) -> Place {
    let root = document.root
    var place = Place(table: root, path: .root, isRoot: true, rest: [], enclosing: root, prefix: [])
    var node = DocumentNode.table(root)
    for (count, component) in path.components.enumerated() {
      let here = ValuePath(components: Array(path.components[..<count]))
      switch (node, component) {
      case (.table(let table), .key(let key)):
        guard let next = table[key] else {
          place.rest = try rest(path.components[count...], of: change)
          return place
        }
        node = next
      case (.array(let array), .index(let index)) where array.elements.indices.contains(index):
        node = array.elements[index].node
      default: throw refusal(of: change, because: "\(here) is \(node.kind)")
      }
      guard case .table(let table) = node else { continue }
      place.table = table
      place.path = ValuePath(components: Array(path.components[...count]))
      place.isRoot = false
      if table.origin == .dotted, case .key(let key) = component {
        place.prefix.append(key)
      } else {
        (place.enclosing, place.prefix) = (table, [])
      }
    }
    return place
  }

  private func rest(
    _ components: ArraySlice<ValuePath.Component>, of change: DocumentChange
  ) throws(EditRefusal) -> [String] {
    let keys = components.compactMap { component in if case .key(let key) = component { key } else { nil } }
    guard keys.count == components.count else {
      throw refusal(of: change, because: "the array does not exist")
    }
    return keys
  }

  // MARK: Forms

  /// In braces: `, key = value` behind the others.
  private func insertion(of literal: ValueLiteral, _ place: Place) -> TextEdit {
    let offset = place.table.statementEnd ?? 0
    let assignment = "\(ValueLiteral.key(place.rest)) = \(literal)"
    guard place.table.entries.isEmpty else { return TextEdit(insertingAt: offset, ", \(assignment)") }
    let hasBlank = offset < bytes.count && isBlank(bytes[offset])
    return TextEdit(insertingAt: offset, hasBlank ? " \(assignment)" : " \(assignment) ")
  }

  /// A line behind the others of a table with a header, or of a dotted table, whose keys have the same prefix.
  private func line(for literal: ValueLiteral, _ place: Place) -> TextEdit {
    if place.enclosing.origin == .inline {
      return TextEdit(
        insertingAt: place.table.statementEnd ?? 0,
        ", \(ValueLiteral.key(place.prefix + place.rest)) = \(literal)")
    }
    let lines = TextLines(bytes: bytes)
    let start = document.text.start
    let assignment = "\(ValueLiteral.key(place.prefix + place.rest)) = \(literal)"
    guard let end = place.table.statementEnd else {
      return lines.insertion(of: [assignment], at: start, from: start)
    }
    let before = place.enclosing.entries.last { $0.keyOffset < end && $0.valueOffset != nil }
    let indentation = before.map { lines.indentation(ofLineAt: $0.keyOffset, from: start) } ?? ""
    return lines.insertion(of: [indentation + assignment], at: lines.end(ofLineAt: end), from: start)
  }
}
