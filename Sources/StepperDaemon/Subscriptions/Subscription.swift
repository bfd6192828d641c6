import StepperCore
import StepperLinux

/// One call whose replies report later events: a row of ``Subscriptions``.
///
/// States and devices have no queue: only what has changed is pending, and ``missed`` counts the changes that later
/// ones have replaced. The number of controls and devices limits the size of a row, however slowly the client reads.
/// Moments and frames are events, which are queued up to a limit; ``missed`` counts the dropped ones.
struct Subscription {
  /// The number of the session of the call. A number is used only once.
  let session: Int64
  let topic: Topic
  /// The names that the call asks for.
  let patterns: NamePatterns
  /// The followed controls, in the order of the configuration.
  var controls: [ControlID] = []
  /// Whether the next reply contains everything that is followed.
  private(set) var needsSnapshot: Bool
  private(set) var pending: [ControlID] = []
  /// The controls of the last reply. Their memory is reused for the next reply.
  private var reported: [ControlID] = []
  /// Changed devices, by their names.
  var pendingDevices: Set<String> = []
  /// Devices that the client was sent, and devices whose frames it is sent.
  var reportedDevices: Set<String> = []
  var watchedDevices: Set<String> = []
  /// Whether the caller may no longer follow the topic. The next reply then says so and is the last one.
  var isForbidden = false
  /// The followed orders of a row with the topic `orders`.
  var orders = FollowedOrders([])
  /// Moments or frames.
  private(set) var waiting = WaitingEvents()
  private(set) var missed: Int64 = 0
  /// Minimum time between two replies.
  private let minimumInterval: Duration
  /// The earliest time of the next reply; nil before the first one.
  private(set) var next: Instant?

  enum Topic {
    case states(StateOptions)
    case moments
    case devices
    case frames(FrameOptions)
    /// Orders for attached devices.
    case orders
    /// The single reply to `Save`, `Reload` or `Check`, sent when the work with this number has ended.
    case save(Int64), reload(Int64)
    case check(Int64, file: String)
  }

  /// What replies with states contain.
  struct StateOptions {
    /// The caller, for `writable` of the descriptions.
    var peer: PeerCredentials
    var includesDescriptions = false
    /// The language of the texts for screen readers; nil: replies do not contain them.
    var language: String?
  }

  /// Which devices are watched.
  struct FrameOptions {
    /// The caller, who may lose the right to watch devices.
    var peer: PeerCredentials
    var includesUnused = false
    var includesKeyboards = false
    /// The requested names that contain no wildcards.
    var names: Set<String> = []
  }

  /// If `changed` is nil, the first reply is a snapshot; otherwise it has only the `changed` controls.
  init(
    _ topic: Topic, of session: Int64, matching patterns: NamePatterns = .all,
    minimumInterval: Duration = .zero, resuming changed: [ControlID]? = nil
  ) {
    self.session = session
    self.topic = topic
    self.patterns = patterns
    self.minimumInterval = minimumInterval
    needsSnapshot = changed == nil
    pending = changed ?? []
  }

  init(ofOrders handles: [String], of session: Int64) {
    self.init(.orders, of: session)
    orders = FollowedOrders(handles)
  }

  /// When the next reply is due; nil if nothing is pending. The first reply is immediate, even without changes, so that
  /// the client knows the start of its subscription.
  ///
  /// The function is `mutating` so that a row of the table is read in its place: a copy would cost more than everything else.
  mutating func due() -> Instant? {
    guard let next else { return Instant(nanoseconds: 0) }
    let hasPending =
      needsSnapshot || !pending.isEmpty || !waiting.isEmpty || missed > 0 || !pendingDevices.isEmpty
      || orders.isDue || isForbidden
    return hasPending ? next : nil
  }

  // MARK: Changes

  /// Records a change of a followed control.
  mutating func note(_ control: ControlID) {
    if needsSnapshot || pending.contains(control) { missed += 1 } else { pending.append(control) }
  }

  /// Records a moment or a frame.
  mutating func note(_ event: WaitingEvents.Event) { missed += waiting.append(event) }

  /// All states are pending again: the set of controls has changed.
  mutating func restart() {
    needsSnapshot = true
    pending = []
  }

  // MARK: Replies

  /// The content of one reply.
  struct Report {
    /// The controls in the order of the configuration; nil: everything that is followed.
    var controls: [ControlID]?
    var events: [WaitingEvents.Event]
    var missed: Int64
  }

  /// The reply that is due at `now`, if there is one.
  mutating func take(at now: Instant) -> Report? {
    guard let due = due(), due <= now else { return nil }
    defer { (needsSnapshot, missed, next) = (false, 0, now + minimumInterval) }
    reported.removeAll(keepingCapacity: true)
    swap(&pending, &reported)
    if reported.count > 1 { reported.sort() }
    return Report(controls: needsSnapshot ? nil : reported, events: waiting.takeAll(), missed: missed)
  }
}
