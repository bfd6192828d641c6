internal import StepperInterfaces

/// The buttons and faders that pages hold, as a value without a clock or a daemon.
///
/// A hold ends when it is released, or when it has not been renewed within the lease. The daemon has the same lease and ends the hold by
/// itself. A release may overtake its press on another connection. Therefore the release of an unknown hold is remembered for a while,
/// and if the press then arrives, it is a tap.
struct HoldTable {
  typealias Instant = ContinuousClock.Instant

  /// How long a hold lives without a renewal.
  static let lease = Duration.seconds(1)
  /// How long after a renewal no other renewal is needed.
  static let renewalPause = Duration.milliseconds(100)
  /// How long the release of an unknown hold is remembered.
  static let memory = Duration.seconds(10)
  /// The most holds in total, of one address, and of one page.
  static let limit = 64
  static let addressLimit = 32
  static let pageLimit = 10
  /// The most releases that are remembered, in total and of one address. The oldest are forgotten.
  private static let memoryLimit = 1024
  private static let addressMemoryLimit = 128

  /// The page that has a hold.
  struct Page: Hashable {
    let address: String
    /// The page's stream of events; nil: it names none, and counts as one with other such pages of its address.
    let stream: String?
    /// The page's own name, if it has given one.
    var document: String?
  }

  struct Hold: Hashable {
    let id: String
    let page: Page
    let control: String
    /// What the page does with the control. The position of a fader changes.
    var gesture: Gesture
    /// Whether the daemon has the hold; else each position is set as a value.
    var isEngine = true
    var deadline: Instant
    /// When the hold was last due for renewal in the daemon.
    var renewedAt: Instant?
  }

  enum Gesture: Hashable {
    case action(ControlInterface.Action)
    case position(Double)
  }

  enum Pressing: Hashable {
    case pressed
    /// The release arrived before the press.
    case tapped
    /// The hold exists already and is renewed by the press.
    case renewed
    /// The name belongs to another hold.
    case taken
    /// The limit of holds is reached.
    case full(limit: Int)
  }

  /// Includes holds whose lease has ended, until the next press or release.
  private(set) var holds: [String: Hold] = [:]
  private var released: [String: (until: Instant, address: String)] = [:]

  /// The number of holds.
  func count(at now: Instant) -> Int { holds.values.count { $0.deadline > now } }

  mutating func press(_ id: String, of page: Page, _ control: String, _ gesture: Gesture, at now: Instant)
    -> Pressing
  {
    forget(at: now)
    if let hold = holds[id] {
      guard hold.control == control, hold.gesture.isAction == gesture.isAction else { return .taken }
      if case .action = gesture, hold.gesture != gesture { return .taken }
      holds[id]?.deadline = now + Self.lease
      return .renewed
    }
    if released.removeValue(forKey: id) != nil { return .tapped }
    guard holds.count < Self.limit else { return .full(limit: Self.limit) }
    guard holds.values.count(where: { $0.page.address == page.address }) < Self.addressLimit else {
      return .full(limit: Self.addressLimit)
    }
    guard holds.values.count(where: { $0.page == page }) < Self.pageLimit else {
      return .full(limit: Self.pageLimit)
    }
    holds[id] = Hold(id: id, page: page, control: control, gesture: gesture, deadline: now + Self.lease)
    return .pressed
  }

  /// Renews those of `ids` that are held. Returns them, each once, and those of them that must be renewed in the daemon.
  mutating func renew(_ ids: [String], at now: Instant) -> (alive: [Hold], due: [Hold]) {
    var (seen, alive, due): (Set<String>, [Hold], [Hold]) = ([], [], [])
    for id in ids {
      guard var hold = holds[id], hold.deadline > now, seen.insert(id).inserted else { continue }
      hold.deadline = now + Self.lease
      if hold.isEngine, hold.renewedAt.map({ $0 + Self.renewalPause <= now }) ?? true {
        hold.renewedAt = now
        due.append(hold)
      }
      holds[id] = hold
      alive.append(hold)
    }
    return (alive, due)
  }

  /// The daemon has not renewed the hold: it is asked again at the next renewal.
  mutating func withdrawRenewal(_ id: String) { holds[id]?.renewedAt = nil }

  /// Moves a fader; nil: it is not held.
  mutating func move(_ id: String, to position: Double, at now: Instant) -> Hold? {
    guard let hold = holds[id], !hold.gesture.isAction, hold.deadline > now else { return nil }
    holds[id]?.gesture = .position(position)
    holds[id]?.deadline = now + Self.lease
    return holds[id]
  }

  /// Ends and returns a hold; nil: there is none, and a press that arrives later is a tap.
  mutating func release(_ id: String, from address: String, at now: Instant) -> Hold? {
    forget(at: now)
    if let hold = holds.removeValue(forKey: id) { return hold }
    remember(id, from: address, at: now)
    return nil
  }

  /// The daemon cannot hold it. A button's hold ends; a fader's continues by setting values.
  mutating func fallBack(_ id: String) {
    if let hold = holds[id], hold.gesture.isAction { holds[id] = nil } else { holds[id]?.isEngine = false }
  }

  /// Removes a hold whose press failed.
  mutating func withdraw(_ id: String) { holds[id] = nil }

  /// Ends and returns the holds of the page with `stream`.
  mutating func end(of stream: String) -> [Hold] {
    let ended = holds.values.filter { $0.page.stream == stream }
    for hold in ended { holds[hold.id] = nil }
    return ended
  }

  /// Ends all holds, because the connection to the daemon is lost.
  mutating func endAll() { holds = [:] }

  private mutating func remember(_ id: String, from address: String, at now: Instant) {
    released[id] = (now + Self.memory, address)
    let own = released.filter { $0.value.address == address }
    if own.count > Self.addressMemoryLimit { forgetOldest(of: own) }
    if released.count > Self.memoryLimit { forgetOldest(of: released) }
  }

  private mutating func forgetOldest(of some: [String: (until: Instant, address: String)]) {
    if let oldest = some.min(by: { $0.value.until < $1.value.until }) { released[oldest.key] = nil }
  }

  /// Forgets holds and releases whose time is over.
  private mutating func forget(at now: Instant) {
    holds = holds.filter { $0.value.deadline > now }
    released = released.filter { $0.value.until > now }
  }
}

extension HoldTable.Gesture {
  var isAction: Bool { if case .action = self { true } else { false } }
}
