import StepperCore

/// The revisions of the targets that were applied, the newest ones of each control. They keep a target from being applied twice when a
/// broker restores it from an old backup, or when its publisher sends it again.
struct AppliedRevisions: Hashable, Sendable {
  private struct Entry: Hashable, Sendable {
    var newest: String
    /// Fingerprints of the earlier revisions, newest first.
    var former: [String] = []
  }
  private var entries: [String: Entry]

  /// The number of revisions kept per control, the newest included.
  private static let depth = 8
  /// Marks the entry of the earlier revisions. Names of controls contain no space, so it cannot clash with one.
  private static let formerMark = " former"

  /// Reads the kept texts: the newest revision under the name of its control, which is all that version 0.1.0 wrote, and the fingerprints
  /// of the earlier ones.
  init(_ texts: [String: String]) {
    entries = texts.filter { !$0.key.hasSuffix(Self.formerMark) }.mapValues { Entry(newest: $0) }
    for name in entries.keys {
      let former = texts[name + Self.formerMark]?.split(separator: " ").prefix(Self.depth - 1) ?? []
      entries[name]?.former = former.map(String.init)
    }
  }

  /// The texts to keep.
  var texts: [String: String] {
    var result = entries.mapValues(\.newest)
    for (name, entry) in entries where !entry.former.isEmpty {
      result[name + Self.formerMark] = entry.former.joined(separator: " ")
    }
    return result
  }

  func contains(_ revision: String, of control: String) -> Bool {
    guard let entry = entries[control] else { return false }
    return entry.newest == revision || entry.former.contains(Self.fingerprint(revision))
  }

  /// Adds a revision that was applied. If there are too many entries, forgets those of controls that do not exist.
  mutating func add(_ revision: String, of control: String, isThere: (String) -> Bool) {
    if entries.count >= MQTTLimit.revisions { entries = entries.filter { isThere($0.key) } }
    guard let entry = entries[control] else {
      entries[control] = Entry(newest: revision)
      return
    }
    guard !contains(revision, of: control) else { return }
    let former = ([Self.fingerprint(entry.newest)] + entry.former).prefix(Self.depth - 1)
    entries[control] = Entry(newest: revision, former: Array(former))
  }

  private static func fingerprint(_ revision: String) -> String { Fingerprint(Array(revision.utf8)).text }
}
