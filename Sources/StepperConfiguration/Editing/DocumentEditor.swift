internal import Varlink

/// Changes the values of a TOML text as a person would in an editor: comments, blank lines, order, line endings and all
/// other unchanged parts keep every byte.
///
/// After each change the new text is parsed and compared with the old one: the intended value must be there, and
/// nothing else may differ. A change that fails this check is refused and leaves the text as it was.
package struct DocumentEditor {
  package private(set) var bytes: [UInt8]
  private(set) var document: Document

  /// Refuses a text that is not TOML, or longer than ``ConfigurationLimit/fileBytes``.
  package init(_ bytes: [UInt8]) throws(EditRefusal) {
    guard bytes.count <= ConfigurationLimit.fileBytes else {
      throw EditRefusal(message: "it is longer than \(ConfigurationLimit.fileBytes) bytes")
    }
    self.bytes = bytes
    document = Document(bytes)
    if let error = document.errors.first {
      throw EditRefusal(message: "line \(document.text.line(at: error.offset)): \(error.message)")
    }
  }

  package var text: String { OutsideText.shown(bytes) }
  var lines: TextLines { TextLines(bytes: bytes, start: document.text.start) }

  /// Whether there is a value at `path`.
  package func has(_ path: ValuePath) -> Bool { node(at: path) != nil }

  func node(at path: ValuePath) -> DocumentNode? {
    path == .root ? .table(document.root) : document.entry(at: path)?.node
  }

  /// The range of a value's text; nil for a table or array that has headers or dotted keys.
  func valueRange(of path: ValuePath) -> Range<Int>? { document.entry(at: path)?.value }

  /// Applies `edits`, which must not overlap, if their only effect is `change`.
  mutating func apply(_ edits: [TextEdit], for change: DocumentChange) throws(EditRefusal) {
    var edited = bytes
    for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      edited.replaceSubrange(edit.range, with: edit.replacement.utf8)
    }
    let result = Document(edited)
    guard edited.count <= ConfigurationLimit.fileBytes, result.errors.isEmpty,
      change.leads(from: .table(document.root), to: .table(result.root))
    else {
      throw refusal(of: change, because: "the text is written in a form that is not edited automatically")
    }
    (bytes, document) = (edited, result)
  }

  /// The message for a change that is refused.
  func refusal(of change: DocumentChange, because reason: String) -> EditRefusal {
    let keys = change.path.keys
    let line = document.position(of: change.path, atKey: true).map { "line \($0.line): " } ?? ""
    guard case .set(let literal) = change.kind, let last = keys.last else {
      return EditRefusal(message: "\(line)\(change.path) cannot be changed: \(reason)")
    }
    let table = keys.count > 1 ? " in [\(ValueLiteral.key(keys.dropLast()))]" : ""
    return EditRefusal(
      message:
        "\(line)\(change.path) cannot be changed: \(reason); write\(table): \(ValueLiteral.key(last)) = \(literal)"
    )
  }
}

/// A part of a text and its replacement.
struct TextEdit {
  var range: Range<Int>
  var replacement: String

  init(_ range: Range<Int>, _ replacement: String) { (self.range, self.replacement) = (range, replacement) }

  init(insertingAt offset: Int, _ text: String) { self.init(offset..<offset, text) }
}
