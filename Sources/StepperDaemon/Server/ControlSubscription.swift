import StepperCore

/// What one client still has to be told of the controls it follows.
///
/// Nothing is queued: a set of controls that changed, and a count of what was folded together. Its size is
/// bounded by the number of controls, however slow the client reads.
struct ControlSubscription {
  /// The next reply holds every control that is followed, changed or not.
  private(set) var owesSnapshot: Bool
  private var dirty: Set<ControlID> = []
  private var coalesced: Int64 = 0
  /// At most one reply in this time, the first at once.
  private let minimumInterval: Duration
  private var lastReply: Instant?

  /// Without `resuming`, begins with a snapshot; with it, with those of the controls that changed since.
  init(minimumInterval: Duration = .zero, resuming changed: [ControlID]? = nil) {
    self.minimumInterval = minimumInterval
    owesSnapshot = changed == nil
    dirty = Set(changed ?? [])
  }

  /// A control that is followed has changed.
  mutating func note(_ control: ControlID) {
    if owesSnapshot || !dirty.insert(control).inserted { coalesced += 1 }
  }

  /// Everything is to be told anew: the set of controls is another one.
  mutating func restart() {
    owesSnapshot = true
    dirty = []
  }

  /// When the next reply is due; nil while there is nothing to tell.
  var due: Instant? {
    guard owesSnapshot || !dirty.isEmpty else { return nil }
    guard let lastReply, minimumInterval > .zero else { return Instant(nanoseconds: 0) }
    return lastReply + minimumInterval
  }

  /// What one reply tells.
  struct Report: Equatable {
    /// In the order of the configuration; nil: all that are followed.
    var controls: [ControlID]?
    var coalesced: Int64
  }

  /// The reply that is due at `now`, if there is one.
  mutating func take(at now: Instant) -> Report? {
    guard let due, due <= now else { return nil }
    defer { (owesSnapshot, dirty, coalesced, lastReply) = (false, [], 0, now) }
    let controls = owesSnapshot ? nil : dirty.sorted()
    return Report(controls: controls, coalesced: coalesced)
  }
}
