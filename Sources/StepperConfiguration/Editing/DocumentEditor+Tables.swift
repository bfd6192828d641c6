extension DocumentEditor {
  /// Adds a table that does not exist yet: with a header after its parent's last table, or inside the parent's braces.
  /// If `successor` is given, the new table is written before it; `successor` must have a header and the same parent.
  package mutating func addTable(
    _ path: ValuePath, _ entries: [ValueLiteral.Entry], before successor: ValuePath? = nil
  ) throws(EditRefusal) {
    let change = DocumentChange(path: path, kind: .set(.table(entries)))
    if has(path) { throw refusal(of: change, because: "it exists already") }
    let place = try place(of: path, for: change)
    guard place.enclosing.origin != .inline else {
      if successor != nil { throw refusal(of: change, because: "\(place.path) is written in braces") }
      return try set(path, to: .table(entries))
    }
    var offset: Int?
    if let successor {
      offset = try start(of: successor, change, else: "it belongs before \(successor), which has no header")
    }
    try apply([header(of: path, entries, before: offset)], for: change)
  }

  /// The beginning of a table's header, or of the first header that implies the table, including the comments above.
  func start(
    of path: ValuePath, _ change: DocumentChange, else reason: String
  ) throws(EditRefusal) -> Int {
    guard path.keys.count == path.components.count, let entry = document.entry(at: path),
      let table = entry.node.table, table.origin == .header || table.origin == .implicit
    else { throw refusal(of: change, because: reason) }
    return lines.startOfComments(above: lines.start(ofLineAt: entry.offset))
  }

  /// Inserts a header with its lines at `offset`, or else after the last table of the same parent, or else at the end.
  func header(of path: ValuePath, _ entries: [ValueLiteral.Entry], before offset: Int? = nil) -> TextEdit {
    let text =
      ["[\(ValueLiteral.key(path.keys))]"] + entries.map { "\(ValueLiteral.key($0.key)) = \($0.value)" }
    return lines.insertion(of: text, at: offset ?? end(ofSiblingsOf: path), isApart: true)
  }

  /// The end of the last section that contains anything of the same parent.
  private func end(ofSiblingsOf path: ValuePath) -> Int {
    var section: DocumentSection?
    if path.components.count > 1, let table = node(at: path.parent)?.table {
      let last = Self.lastEnd(in: table)
      section = document.sections.last { $0.start <= last }
    }
    // Another section follows, so this one ends after its comments.
    guard let section, section.start != document.sections.last?.start else { return endOfText }
    return lines.endOfComments(at: lines.end(ofLineAt: section.end))
  }

  /// The end of the text before its trailing blank lines.
  private var endOfText: Int {
    let last = bytes.lastIndex { !isBlank($0) && $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    return last.map(lines.end(ofLineAt:)) ?? bytes.count
  }

  /// The position of the last key or header in `table` and its tables.
  private static func lastEnd(in table: DocumentTable) -> Int {
    var last = table.statementEnd ?? 0
    for entry in table.entries {
      switch entry.node {
      case .table(let table): last = max(last, lastEnd(in: table))
      case .array(let array) where array.hasHeaders:
        for case .table(let table) in array.elements.map(\.node) { last = max(last, lastEnd(in: table)) }
      default: break
      }
    }
    return last
  }
}
