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

  struct Entry {
    let key: String
    /// The position of the key; of a table with a header, the header.
    let keyOffset: Int
    /// nil: a table that is only implied by others.
    let valueOffset: Int?
    /// The end of its text; nil where ``valueOffset`` is.
    let valueEnd: Int?
    let node: DocumentNode
  }

  var origin: Origin
  /// The end of the last `key = value` that was written into this table or into a dotted table of it; without any,
  /// the end of its header, or of its opening brace. nil: neither.
  var statementEnd: Int?
  /// In the order of the file.
  private(set) var entries: [Entry] = []
  private var indices: [Key: Int] = [:]

  init(_ origin: Origin) {
    self.origin = origin
  }

  func entry(_ key: String) -> Entry? { indices[Key(text: key)].map { entries[$0] } }

  subscript(key: String) -> DocumentNode? { entry(key)?.node }

  /// The key must not be there yet.
  func append(_ node: DocumentNode, _ key: String, keyOffset: Int, value: Range<Int>? = nil) {
    indices[Key(text: key)] = entries.count
    entries.append(
      Entry(
        key: key, keyOffset: keyOffset, valueOffset: value?.lowerBound, valueEnd: value?.upperBound,
        node: node))
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
  struct Element {
    let node: DocumentNode
    /// Its position; of a table with a header, the header.
    let offset: Int
    /// The end of its text; of a table with a header, of the header.
    let end: Int
  }

  /// Whether it is an array of tables `[[…]]`, to which headers may add.
  let hasHeaders: Bool
  private(set) var elements: [Element] = []

  init(hasHeaders: Bool = false) {
    self.hasHeaders = hasHeaders
  }

  func append(_ node: DocumentNode, at range: Range<Int>) {
    elements.append(Element(node: node, offset: range.lowerBound, end: range.upperBound))
  }

  /// The table that a header continues.
  var lastTable: DocumentTable? {
    guard case .table(let table) = elements.last?.node else { return nil }
    return table
  }
}
