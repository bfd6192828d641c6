/// The last value of every control that was ever changed, by its name; those of controls that no configuration has any
/// more, too, but no more than so many.
package nonisolated struct RememberedValues: Hashable, Sendable {
  /// Far more than a configuration may have controls (256). With the longest names and values that many fit into
  /// ``ValueFile/largest``.
  package static let limit = 1_024

  private struct Entry: Hashable, Sendable {
    var value: RememberedValue
    /// Grows with each configuration that has the control.
    var age: Int
  }

  private var entries: [String: Entry] = [:]
  /// The age of what is configured now.
  private var present = 0

  init() {}

  /// The first ones are those that were configured last. What is too much is left out.
  package init(_ values: some Sequence<(name: String, value: RememberedValue)>) {
    for (name, value) in values where entries.count < Self.limit || entries[name] != nil {
      present -= 1
      entries[name] = Entry(value: value, age: present)
    }
    present = 0
  }

  var isEmpty: Bool { entries.isEmpty }

  subscript(name: String) -> RememberedValue? { entries[name]?.value }

  /// Remembers the value of a configured control; false if it is the one that was remembered.
  mutating func remember(_ value: RememberedValue, of name: String) -> Bool {
    guard entries[name]?.value != value else { return false }
    entries[name] = Entry(value: value, age: present)
    return true
  }

  /// There is a configuration with `controls` now, of which those in `forgotten` are not to be remembered. Returns
  /// whether anything was given up.
  mutating func configure(controls: [String], forgotten: Set<String>) -> Bool {
    let count = entries.count
    present += 1
    for name in controls where entries[name] != nil {
      if forgotten.contains(name) { entries[name] = nil } else { entries[name]?.age = present }
    }
    // Room for every control of the configuration, whenever it is changed first.
    let room = Self.limit - controls.count { !forgotten.contains($0) && entries[$0] == nil }
    for name in names.dropFirst(max(room, 0)) where entries[name]?.age != present { entries[name] = nil }
    return entries.count != count
  }

  /// The controls configured last first.
  private var names: [String] {
    entries.sorted { ($1.value.age, $0.key) < ($0.value.age, $1.key) }.map(\.key)
  }

  /// In the order of ``init(_:)``.
  package var all: [(name: String, value: RememberedValue)] {
    names.compactMap { name in self[name].map { (name, $0) } }
  }
}
