/// The buttons that are held on one control.
struct Holds: Hashable, Sendable {
  /// In the order of their presses.
  private var holds: [ButtonHold] = []

  var isEmpty: Bool { holds.isEmpty }

  /// The hold of `source`; nil: it is not held, and stays so.
  subscript(source: InputSource) -> ButtonHold? {
    get { holds.first { $0.source == source } }
    set {
      guard let newValue, let index = holds.firstIndex(where: { $0.source == source }) else { return }
      holds[index] = newValue
    }
  }

  mutating func forEach(_ change: (inout ButtonHold) -> Void) {
    for index in holds.indices { change(&holds[index]) }
  }

  var deadline: Instant? { holds.reduce(nil) { Instant.earliest($0, $1.deadline) } }

  /// The first button whose repeat is due at `instant`.
  func source(dueAt instant: Instant) -> InputSource? { holds.first { $0.deadline == instant }?.source }

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
    forEach { if isGone($0.source) { $0.abandon() } }
    if !runOn { holds.removeAll(where: \.isOrphan) }
  }
}
