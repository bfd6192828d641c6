/// The buttons that are held on one control.
struct Holds: Hashable, Sendable {
  /// The holds in the order of their presses; ``Buttons`` changes them in place.
  var all: [ButtonHold] = []

  var isEmpty: Bool { all.isEmpty }

  /// The place of the hold of `source`; nil: `source` is not held.
  func place(of source: InputSource) -> Int? { all.firstIndex { $0.source == source } }

  mutating func forEach(_ change: (inout ButtonHold) -> Void) {
    for place in all.indices { change(&all[place]) }
  }

  var deadline: Instant? { all.reduce(nil) { Instant.earliest($0, $1.deadline) } }

  /// The first place of a hold whose repeat is due at `instant`.
  func place(dueAt instant: Instant) -> Int? { all.firstIndex { $0.deadline == instant } }

  /// Whether a press of `source` counts. Also ends the holds that the rule for a second press ends.
  mutating func admit(_ source: InputSource, _ rule: Feel.SecondPress) -> Bool {
    // If the button is pressed again, its release was missed.
    all.removeAll { $0.source == source && $0.isOrphan }
    guard place(of: source) == nil else { return false }
    guard all.contains(where: { !$0.isSpent && !$0.isOrphan }) else { return true }
    switch rule {
    case .ignore: return false
    case .both: return true
    case .end, .takeOver:
      all.removeAll()
      return rule == .takeOver
    }
  }

  /// Returns the place of the hold.
  mutating func begin(_ hold: ButtonHold) -> Int {
    all.append(hold)
    return all.count - 1
  }

  /// Ends the hold of `source` and the holds whose release was missed; with ``Feel/SecondPress/both`` all holds.
  mutating func release(_ source: InputSource, _ rule: Feel.SecondPress) {
    all.removeAll { $0.source == source || $0.isOrphan || rule == .both }
  }

  /// Ends the holds of buttons whose releases cannot be read any more, unless these holds are to run on.
  mutating func abandon(runOn: Bool, where isGone: (InputSource) -> Bool) {
    forEach { if isGone($0.source) { $0.abandon() } }
    if !runOn { all.removeAll(where: { $0.isOrphan }) }
  }
}
