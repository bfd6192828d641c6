/// The last value of every control that was changed, by its name, including controls that are no longer in the
/// configuration, up to ``limit`` in total.
package nonisolated struct SavedValues: Hashable, Sendable {
  /// Far more than the 256 controls that a configuration may have. This many with the longest names and values fit
  /// into ``ValueFile/largest``.
  package static let limit = 1_024

  private struct Entry: Hashable, Sendable {
    var value: SavedValue
    /// The number of the last configuration that had the control.
    var age: Int
  }

  private var entries: [String: Entry] = [:]
  /// The age of the present configuration.
  private var present = 0

  init() {}

  /// The controls that were configured last come first. Values beyond the limit are omitted.
  package init(_ values: some Sequence<(name: String, value: SavedValue)>) {
    for (name, value) in values where entries.count < Self.limit || entries[name] != nil {
      present -= 1
      entries[name] = Entry(value: value, age: present)
    }
    present = 0
  }

  var isEmpty: Bool { entries.isEmpty }

  subscript(name: String) -> SavedValue? { entries[name]?.value }

  /// Records the value of a configured control; false if it is unchanged.
  mutating func record(_ value: SavedValue, of name: String) -> Bool {
    guard entries[name]?.value != value else { return false }
    entries[name] = Entry(value: value, age: present)
    return true
  }

  /// Applies a configuration with `controls`, of which those in `excluded` are not saved. Returns whether any value
  /// was discarded.
  mutating func configure(controls: [String], excluded: Set<String>) -> Bool {
    let count = entries.count
    present += 1
    for name in controls where entries[name] != nil {
      if excluded.contains(name) { entries[name] = nil } else { entries[name]?.age = present }
    }
    // Reserves an entry for every control of the configuration.
    let room = Self.limit - controls.count { !excluded.contains($0) && entries[$0] == nil }
    for name in names.dropFirst(max(room, 0)) where entries[name]?.age != present { entries[name] = nil }
    return entries.count != count
  }

  /// The names of the controls. Those that were configured last come first.
  private var names: [String] {
    entries.sorted { ($1.value.age, $0.key) < ($0.value.age, $1.key) }.map(\.key)
  }

  /// In the order of ``init(_:)``.
  package var all: [(name: String, value: SavedValue)] {
    names.compactMap { name in self[name].map { (name, $0) } }
  }
}
