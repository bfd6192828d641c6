/// An entry of a table, or an element of an array.
struct DocumentEntry {
  /// Empty for an element.
  let key: String
  /// The position of the key or element; for a table with a header, that of the header.
  let offset: Int
  /// The range of the value's text; nil for a table that has a header or is only implied by others, and for an array of
  /// tables with headers.
  let value: Range<Int>?
  let node: DocumentNode
}

/// A table of a document, during and after reading.
package final class DocumentTable {
  /// How the table was defined. This determines which additions TOML permits.
  enum Origin {
    /// This is `a` of `[a.b]`; a header `[a]` may still follow.
    case implicit
    /// The table has its own header.
    case header
    /// This is `a` of `a.b = 1`.
    case dotted
    /// The table is in braces; nothing may be added.
    case inline
  }

  var origin: Origin
  /// The end of the last `key = value` of this table or of a dotted table in it. Without any, the end of the table's
  /// header or opening brace; nil if it has neither.
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

  /// Adds an entry. The table must not have `key` yet.
  func append(_ node: DocumentNode, _ key: String, at offset: Int, value: Range<Int>? = nil) {
    indices[Key(text: key)] = entries.count
    entries.append(DocumentEntry(key: key, offset: offset, value: value, node: node))
  }

  /// A key compared byte by byte, as TOML requires. Swift's `==` would also equate strings that are canonically
  /// equivalent.
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
  /// Whether this is an array of tables `[[…]]`, to which further headers may add elements.
  let hasHeaders: Bool
  private(set) var elements: [DocumentEntry] = []

  init(hasHeaders: Bool = false) {
    self.hasHeaders = hasHeaders
  }

  func append(_ node: DocumentNode, at range: Range<Int>) {
    elements.append(
      DocumentEntry(key: "", offset: range.lowerBound, value: hasHeaders ? nil : range, node: node))
  }

  /// The last table, to which a following header adds.
  var lastTable: DocumentTable? { elements.last?.node.table }
}
