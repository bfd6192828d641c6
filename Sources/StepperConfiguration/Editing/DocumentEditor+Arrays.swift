internal import Varlink

extension DocumentEditor {
  /// Appends a value to the array at `path`, on a line of its own if the other elements have lines of their own. If the
  /// value at `path` is not an array, it becomes the first element of one.
  package mutating func append(_ literal: ValueLiteral, to path: ValuePath) throws(EditRefusal) {
    guard let node = node(at: path) else { return try set(path, to: literal) }
    guard case .array(let array) = node else { return try makeArray(at: path, with: literal) }
    let change = DocumentChange(path: path[array.elements.count], kind: .set(literal))
    guard let range = valueRange(of: path) else {
      throw refusal(of: change, because: "it is an array of tables with headers")
    }
    guard let last = array.elements.last?.value else {
      return try apply([TextEdit(insertingAt: range.lowerBound + 1, literal.description)], for: change)
    }
    try apply(insertion(of: literal, after: last, in: range), for: change)
  }

  /// Removes an array element and its comma. Comments remain.
  package mutating func remove(_ index: Int, from path: ValuePath) throws(EditRefusal) {
    let change = DocumentChange(path: path[index], kind: .removed)
    guard case .array(let array)? = node(at: path), let element = valueRange(of: path[index]) else {
      throw refusal(of: change, because: "it is no element of an array")
    }
    var edits = [TextEdit(element, "")]
    let isLast = index == array.elements.count - 1
    if let comma = comma(after: element.upperBound) {
      let blanks = bytes[(comma + 1)...].prefix(while: isBlank).count
      edits.append(TextEdit(comma..<comma + 1 + (isLast ? 0 : blanks), ""))
    }
    // A comma may remain before the closing bracket, but not at the beginning.
    try apply(edits, for: change)
  }

  private mutating func makeArray(at path: ValuePath, with literal: ValueLiteral) throws(EditRefusal) {
    guard let range = valueRange(of: path) else {
      let change = DocumentChange(path: path, kind: .set(literal))
      throw refusal(of: change, because: "it is a table with lines of its own")
    }
    let before = self
    // This takes two steps, each of which is a single change: the value is put into brackets, which is checked as a
    // change of the array's element, and then the second value is appended.
    var edited = bytes
    edited.replaceSubrange(range, with: [UInt8(ascii: "[")] + bytes[range] + [UInt8(ascii: "]")])
    var editor = try DocumentEditor(edited)
    guard let old = before.node(at: path), let new = editor.node(at: path[0]), old.isSame(as: new) else {
      throw refusal(
        of: DocumentChange(path: path, kind: .set(literal)),
        because: "the text is written in a form that is not edited automatically")
    }
    try editor.append(literal, to: path)
    self = editor
  }

  private func insertion(
    of literal: ValueLiteral, after last: Range<Int>, in range: Range<Int>
  ) -> [TextEdit] {
    let comma = comma(after: last.upperBound)
    let closing = range.upperBound - 1
    guard bytes[last.upperBound..<closing].contains(UInt8(ascii: "\n")) else {
      // This line cannot have a comment before the closing bracket.
      guard let comma else { return [TextEdit(insertingAt: last.upperBound, ", \(literal)")] }
      return [TextEdit(insertingAt: comma + 1, " \(literal)")]
    }
    let ending = lines.ending(before: last.upperBound)
    let line = lines.start(ofLineAt: last.lowerBound)
    let indentation = OutsideText.shown(bytes[line...].prefix(while: isBlank))
    let next = lines.end(ofLineAt: comma ?? last.upperBound)
    let added = "\(indentation)\(literal)\(comma == nil ? "" : ",")\(ending)"
    return (comma == nil ? [TextEdit(insertingAt: last.upperBound, ",")] : []) + [
      TextEdit(insertingAt: next, added)
    ]
  }

  /// The position of the comma after an array element. Blanks, line ends and comments may precede the comma.
  private func comma(after offset: Int) -> Int? {
    var cursor = ByteCursor(document.text)
    cursor.move(to: offset)
    cursor.skipTrivia()
    return cursor.isAt(",") ? cursor.offset : nil
  }
}
