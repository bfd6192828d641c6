extension DocumentEditor {
  /// Sets the key or element at `path`. An existing value is replaced. A new key is written after the other keys of its
  /// table, in the same form. A missing table is created.
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
      try apply([header(of: path.parent, [.init(last, literal)])], for: change)
    case .inline: try apply([insertion(of: literal, place)], for: change)
    case .header, .dotted: try apply([line(for: literal, place)], for: change)
    case .implicit:
      // So far the table is only implied by its subtables: its header goes before the first of them.
      let offset = try start(of: place.path, change, else: "\(place.path) has no line of its own")
      try apply([header(of: place.path, [.init(last, literal)], before: offset)], for: change)
    }
  }

  /// Sets each of `entries` in the table at `path`. A missing table is created with all of them at once.
  package mutating func merge(_ entries: [ValueLiteral.Entry], into path: ValuePath) throws(EditRefusal) {
    guard has(path) else { return try set(path, to: .table(entries)) }
    for entry in entries { try set(path[entry.key], to: entry.value) }
  }

  /// The innermost existing table on the way to a key, and the keys that are missing.
  struct Place {
    var table: DocumentTable
    /// The path of `table`.
    var path: ValuePath
    var isRoot: Bool
    /// The keys from `table` to the value.
    var rest: [String]
    /// The table whose header or braces the new key is written under; `prefix` has the keys from there to `table`.
    var enclosing: DocumentTable
    var prefix: [String]
  }

  func place(of path: ValuePath, for change: DocumentChange) throws(EditRefusal) -> Place {
    let root = document.root
    var place = Place(table: root, path: .root, isRoot: true, rest: [], enclosing: root, prefix: [])
    var node = DocumentNode.table(root)
    for (count, component) in path.components.enumerated() {
      let here = ValuePath(components: Array(path.components[..<count]))
      guard let next = node[component]?.node else {
        guard case (.table, .key) = (node, component) else {
          throw refusal(of: change, because: "\(here) is \(node.kind)")
        }
        place.rest = ValuePath(components: Array(path.components[count...])).keys
        guard count + place.rest.count == path.components.count else {
          throw refusal(of: change, because: "the array does not exist")
        }
        return place
      }
      node = next
      guard let table = node.table else { continue }
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

  // MARK: Forms

  /// Inserts `, key = value` after the other entries of a table in braces.
  private func insertion(of literal: ValueLiteral, _ place: Place) -> TextEdit {
    let offset = place.table.statementEnd ?? 0
    let assignment = "\(ValueLiteral.key(place.rest)) = \(literal)"
    guard place.table.entries.isEmpty else { return TextEdit(insertingAt: offset, ", \(assignment)") }
    let hasBlank = offset < bytes.count && isBlank(bytes[offset])
    return TextEdit(insertingAt: offset, hasBlank ? " \(assignment)" : " \(assignment) ")
  }

  /// Inserts a line after the others of a table with a header, or of a dotted table, whose keys share a prefix.
  private func line(for literal: ValueLiteral, _ place: Place) -> TextEdit {
    let assignment = "\(ValueLiteral.key(place.prefix + place.rest)) = \(literal)"
    if place.enclosing.origin == .inline {
      return TextEdit(insertingAt: place.table.statementEnd ?? 0, ", \(assignment)")
    }
    guard let end = place.table.statementEnd else {
      return lines.insertion(of: [assignment], at: document.text.start)
    }
    let before = place.enclosing.entries.last { $0.offset < end && $0.value != nil }
    let indentation = before.map { lines.indentation(ofLineAt: $0.offset) } ?? ""
    return lines.insertion(of: [indentation + assignment], at: lines.end(ofLineAt: end))
  }
}
