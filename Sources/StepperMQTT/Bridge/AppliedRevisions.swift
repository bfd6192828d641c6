import StepperCore

/// The revisions of the targets that were applied: the newest ones of each control, so that a target is not applied again which a
/// broker has from an old backup, or which its publisher sends again.
struct AppliedRevisions: Hashable, Sendable {
  private struct Entry: Hashable, Sendable {
    var newest: String
    /// Fingerprints of those before it, the newest first.
    var former: [String] = []
  }
  private var entries: [String: Entry]

  /// Of a control, the newest included.
  private static let depth = 8
  /// No name of a control has a space.
  private static let formerMark = " former"

  /// What was kept: the newest revision by the name of its control, which is all that version 0.1.0 has, and fingerprints of
  /// those before it.
  init(_ texts: [String: String]) {
    entries = texts.filter { !$0.key.hasSuffix(Self.formerMark) }.mapValues { Entry(newest: $0) }
    for name in entries.keys {
      let former = texts[name + Self.formerMark]?.split(separator: " ").prefix(Self.depth - 1) ?? []
      entries[name]?.former = former.map(String.init)
    }
  }

  /// To be kept.
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

  /// One was applied. If there are many, those of controls are forgotten that are not there.
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
