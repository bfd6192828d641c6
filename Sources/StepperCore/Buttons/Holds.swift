/// The buttons that are held on one control.
struct Holds: Hashable, Sendable {
  /// In the order of their presses.
  private var holds: [ButtonHold] = []

  var isEmpty: Bool { holds.isEmpty }

  subscript(source: InputSource) -> ButtonHold? { holds.first { $0.source == source } }

  /// When the next repeat is due.
  var deadline: Instant? { holds.lazy.compactMap(\.deadline).min() }

  /// The buttons whose repeat is due at `instant`.
  func sources(dueAt instant: Instant) -> [InputSource] {
    holds.filter { $0.deadline == instant }.map(\.source)
  }

  // MARK: Presses and releases

  /// Whether a press of `source` counts. The holds that it ends by the rule for a second press are ended.
  mutating func admit(_ source: InputSource, _ rule: Feel.SecondPress) -> Bool {
    // It is pressed again, so its release was missed.
    holds.removeAll { $0.source == source && $0.isOrphan }
    guard self[source] == nil else { return false }
    guard holds.contains(where: { !$0.isSpent && !$0.isOrphan }) else { return true }
    switch rule {
    case .ignore: return false
    case .both: return true
    case .end, .takeOver:
      holds.removeAll()
      return rule == .takeOver
    }
  }

  mutating func begin(_ hold: ButtonHold) { holds.append(hold) }

  /// Ends the hold of `source` and those whose release was missed; with ``Feel/SecondPress/both`` all of them.
  mutating func release(_ source: InputSource, _ rule: Feel.SecondPress) {
    holds.removeAll { $0.source == source || $0.isOrphan || rule == .both }
  }

  /// The releases of these buttons cannot be read any more. Their holds end unless they are to run on.
  mutating func abandon(runOn: Bool, where isGone: (InputSource) -> Bool) {
    for index in holds.indices where isGone(holds[index].source) { holds[index].abandon() }
    if !runOn { holds.removeAll(where: \.isOrphan) }
  }

  // MARK: Steps

  /// The size of the next step of `source`; see ``ButtonHold/nextSize(_:in:)``.
  mutating func nextSize(of source: InputSource, _ climb: Climb, in range: ValueRange) -> Int64 {
    holds.firstIndex { $0.source == source }.map { holds[$0].nextSize(climb, in: range) } ?? range.step
  }

  /// The repeat of `source` that was due happens.
  mutating func fire(_ source: InputSource) {
    for index in holds.indices where holds[index].source == source { holds[index].fire() }
  }

  /// A hold that cannot move the value any further does nothing more.
  mutating func spend(canIncrement: Bool, canDecrement: Bool) {
    for index in holds.indices {
      let isUp = holds[index].step.direction == .increment
      if !(isUp ? canIncrement : canDecrement) { holds[index].setSpent(true) }
    }
  }

  /// Whether the hold of `source` can do nothing more.
  mutating func setSpent(_ isSpent: Bool, _ source: InputSource) {
    for index in holds.indices where holds[index].source == source { holds[index].setSpent(isSpent) }
  }

  mutating func forgetGrowth() {
    for index in holds.indices { holds[index].forgetGrowth() }
  }

  mutating func stopRepeating() {
    for index in holds.indices { holds[index].stopRepeating() }
  }

  mutating func skip(_ duration: Duration) {
    for index in holds.indices { holds[index].skip(duration) }
  }
}
