import StepperCore

/// The pending states of one subscriber.
///
/// It has no queue: only the set of changed controls and the number of coalesced changes. Its size is bounded by the
/// number of controls, however slowly the client reads.
struct ControlSubscription {
  /// Whether the next reply contains all followed controls.
  private var needsSnapshot: Bool
  private var pending: [ControlID] = []
  /// Those of the last reply; empty memory for the next ones.
  private var reported: [ControlID] = []
  private var coalesced: Int64 = 0
  /// Minimum time between two replies.
  private let minimumInterval: Duration
  /// The earliest time of the next reply.
  private var next: Instant?

  /// Without `resuming` it begins with a snapshot; otherwise with the controls that have changed since.
  init(minimumInterval: Duration = .zero, resuming changed: [ControlID]? = nil) {
    self.minimumInterval = minimumInterval
    needsSnapshot = changed == nil
    pending = changed ?? []
  }

  /// Records a change of a followed control.
  mutating func note(_ control: ControlID) {
    if needsSnapshot || pending.contains(control) { coalesced += 1 } else { pending.append(control) }
  }

  /// All states are pending again: the set of controls has changed.
  mutating func restart() {
    needsSnapshot = true
    pending = []
  }

  /// When the next reply is due; nil without pending states. The first reply is immediate, also without changes, so
  /// that the client knows that it has resumed.
  var due: Instant? {
    guard let next else { return Instant(nanoseconds: 0) }
    return needsSnapshot || !pending.isEmpty ? next : nil
  }

  /// The content of one reply.
  struct Report: Equatable {
    /// In the order of the configuration; nil: all followed controls.
    var controls: [ControlID]?
    var coalesced: Int64
  }

  /// The reply that is due at `now`, if there is one.
  mutating func take(at now: Instant) -> Report? {
    guard let due, due <= now else { return nil }
    defer { (needsSnapshot, coalesced, next) = (false, 0, now + minimumInterval) }
    reported.removeAll(keepingCapacity: true)
    swap(&pending, &reported)
    if reported.count > 1 { reported.sort() }
    return Report(controls: needsSnapshot ? nil : reported, coalesced: coalesced)
  }
}
