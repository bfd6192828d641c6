/// Where the keys and values of a TOML document stand in its text.
///
/// The TOML library does not tell. This walks over the text by itself, as far as TOML's grammar says where
/// things begin and end, and leaves it to the library to say whether they are right. What it cannot find has
/// no entry.
struct SourceMap: Sendable {
  /// From 1; columns in Unicode scalars.
  struct Position: Hashable, Comparable, Sendable {
    var line: Int
    var column: Int

    static func < (left: Position, right: Position) -> Bool {
      (left.line, left.column) < (right.line, right.column)
    }
  }

  struct Entry: Sendable {
    /// Where the key begins; of an element of an array, the element.
    var key: Int
    /// The text of the value; nil for tables that have a header.
    var value: Range<Int>?
  }

  /// What keeps the document from being handed to the TOML library, which would cut a text at a NUL, recurses
  /// once a level, and ends the process where a value or a table's key should begin and does not.
  enum Obstacle: Hashable, Sendable {
    case nul
    case nesting
    case noValue
    case noKey
  }

  /// Keys and indices from the document to the innermost value.
  static let deepestNesting = 32

  private(set) var entries: [ValuePath: Entry] = [:]
  private(set) var obstacle: (kind: Obstacle, position: Position)?
  private let bytes: [UInt8]
  /// Where each line begins.
  private let lineStarts: [Int]

  init(_ text: String) {
    let bytes = Array(text.utf8)
    self.bytes = bytes
    lineStarts = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
    var scanner = SourceScanner(bytes)
    scanner.scanDocument()
    entries = scanner.entries
    obstacle = scanner.obstacle.map { ($0.kind, position(at: $0.offset)) }
  }

  /// Where `path` is, or else the innermost thing around it that is known.
  func position(of path: ValuePath, atKey: Bool = false) -> Position? {
    var path = path
    while !path.components.isEmpty {
      if let entry = entries[path] {
        return position(at: atKey ? entry.key : entry.value?.lowerBound ?? entry.key)
      }
      guard let parent = path.parent else { return nil }
      path = parent
    }
    return nil
  }

  /// The value at `path` as it is written.
  func literal(at path: ValuePath) -> String? {
    entries[path]?.value.map { String(decoding: bytes[$0], as: UTF8.self) }
  }

  private func position(at offset: Int) -> Position {
    var (low, high) = (0, lineStarts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    let before = bytes[lineStarts[low]..<max(min(offset, bytes.count), lineStarts[low])]
    // Bytes 10xxxxxx continue a scalar.
    return Position(line: low + 1, column: before.count { $0 & 0xc0 != 0x80 } + 1)
  }
}
