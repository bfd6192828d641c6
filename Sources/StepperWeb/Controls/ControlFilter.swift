internal import StepperInterfaces
internal import StepperText

/// Selects controls by shell patterns, of which one has to match.
struct ControlFilter: Hashable, Sendable {
  /// The most patterns, and the most bytes of one, as in the daemon.
  static let patternLimit = 64
  static let byteLimit = 255
  /// The most bytes of all patterns with `*` or `?` together: each of these is compared with each control.
  static let wildByteLimit = 256

  let patterns: [String]
  /// The patterns that are plain names, which are looked up, and the other patterns.
  private let names: Set<String>
  private let wild: [String]

  init(patterns: [String]) {
    self.patterns = patterns
    wild = patterns.filter(Self.isWild)
    names = Set(patterns.filter { !Self.isWild($0) })
  }

  private static func isWild(_ pattern: String) -> Bool { pattern.utf8.contains { "*?".utf8.contains($0) } }

  /// All controls.
  static let all = ControlFilter(patterns: [])

  /// Whether a client may request this filter.
  var isWithinLimits: Bool {
    patterns.count <= Self.patternLimit && patterns.allSatisfy { $0.utf8.count <= Self.byteLimit }
      && wild.reduce(0) { $0 + $1.utf8.count } <= Self.wildByteLimit
  }

  func matches(_ control: String) -> Bool {
    patterns.isEmpty || names.contains(control) || wild.contains { glob($0, matches: control) }
  }
}

/// The controls that a filter selects. They are found once for each snapshot, because a stream needs them at each change.
struct ControlSelection {
  private let filter: ControlFilter
  private var snapshotRevision: UInt64?
  private var controls: Set<String> = []

  /// All controls.
  static let all = ControlSelection(.all)

  init(_ filter: ControlFilter) { self.filter = filter }

  /// The controls of `table` that `filter` selects.
  init(_ filter: ControlFilter, of table: borrowing ControlRevisions) {
    self.init(filter)
    find(in: table)
  }

  /// Finds the controls in `table`, unless they were already found in its snapshot.
  mutating func find(in table: borrowing ControlRevisions) {
    guard snapshotRevision != table.snapshotRevision, !filter.patterns.isEmpty else { return }
    snapshotRevision = table.snapshotRevision
    controls = Set(table.entries.lazy.map(\.state.control).filter(filter.matches))
  }

  func contains(_ control: String) -> Bool { filter.patterns.isEmpty || controls.contains(control) }
}
