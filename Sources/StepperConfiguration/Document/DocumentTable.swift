/// An entry of a table, or an element of an array.
struct DocumentEntry {
  /// Empty: it is an element.
  let key: String
  /// The position of the key, or of the element; of a table with a header, the header.
  let offset: Int
  /// Its text; nil: a table that has a header or is only implied by others, or an array of tables with headers.
  let value: Range<Int>?
  let node: DocumentNode
}

/// A table of a document while it is read, and after.
package final class DocumentTable {
  /// How it was defined, which determines the additions that TOML permits.
  enum Origin {
    /// By `[a.b]`, of which this is `a`: `[a]` may still come.
    case implicit
    /// By its own header.
    case header
    /// By `a.b = 1`, of which this is `a`.
    case dotted
    /// In braces: nothing may be added.
    case inline
  }

  var origin: Origin
  /// The end of the last `key = value` that was written into this table or into a dotted table of it; without any,
  /// the end of its header, or of its opening brace. nil: neither.
  var statementEnd: Int?
  /// In the order of the file.
  private(set) var entries: [DocumentEntry] = []
  private var indices: [Key: Int] = [:]

  init(_ origin: Origin) {
    self.origin = origin
  }

  func entry(_ key: String) -> DocumentEntry? { indices[Key(text: key)].map { entries[$0] } }

  subscript(key: String) -> DocumentNode? { entry(key)?.node }
  subscript(key: some ConfigurationKey) -> DocumentNode? { self[key.rawValue] }

  /// The key must not be there yet.
  func append(_ node: DocumentNode, _ key: String, at offset: Int, value: Range<Int>? = nil) {
    indices[Key(text: key)] = entries.count
    entries.append(DocumentEntry(key: key, offset: offset, value: value, node: node))
  }

  /// Keys are the same if their bytes are, as TOML has it; two Swift strings are the same if they look alike.
  private struct Key: Hashable {
    let text: String

    static func == (left: Key, right: Key) -> Bool { left.text.isExactly(right.text) }

    func hash(into hasher: inout Hasher) {
      for byte in text.utf8 { hasher.combine(byte) }
    }
  }
}

/// An array of a document.
package final class DocumentArray {
  /// Whether it is an array of tables `[[…]]`, to which headers may add.
  let hasHeaders: Bool
  private(set) var elements: [DocumentEntry] = []

  init(hasHeaders: Bool = false) {
    self.hasHeaders = hasHeaders
  }

  func append(_ node: DocumentNode, at range: Range<Int>) {
    elements.append(
      DocumentEntry(key: "", offset: range.lowerBound, value: hasHeaders ? nil : range, node: node))
  }

  /// The table that a header continues.
  var lastTable: DocumentTable? { elements.last?.node.table }
}
