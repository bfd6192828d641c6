import StepperCore

/// The buttons and faders of controls that clients hold, each by its connection and the name that the client chose.
///
/// A hold ends with its lease or its connection. One that its lease has ended keeps its name until it is released, so
/// that a renewal that comes too late presses nothing.
final class ClientHolds {
  /// A connection has at most so many. What has ended gives way to what is new.
  static let most = 64

  /// What is held.
  enum Input: Hashable {
    case button(PressAction)
    case fader
  }

  struct Hold {
    let number: HoldNumber
    let input: Input
    let control: String
    /// The control in the configuration in force, or in the last one that had it.
    var id: ControlID
    /// When it ends by itself; nil: with the connection.
    var lease: Instant?
    /// Whether it has ended, and has its name only.
    var hasEnded = false
  }

  /// By connection, then by name.
  private var holds: [Int64: [String: Hold]] = [:]
  /// No lease ends before; nil: there is none. A renewal leaves it as it is.
  private(set) var deadline: Instant?
  private var lastNumber: Int64 = 0
  /// The names of those that are held and of the last ones that were released: a moment may come after the release.
  private var names: [HoldNumber: String] = [:]
  private var released: [HoldNumber] = []
  private static let mostReleased = 256
  /// The connections that have called Renew: on these Press renews nothing.
  private var renewing: Set<Int64> = []

  /// nil: the client has none of that name.
  func hold(_ name: String, of session: Int64) -> Hold? { holds[session]?[name] }

  /// nil: it was released long ago.
  func name(of number: HoldNumber) -> String? { names[number] }

  // MARK: Holding

  /// nil: the client has too many.
  func add(
    _ name: String, of session: Int64, _ input: Input, on control: (name: String, id: ControlID),
    until lease: Instant?
  ) -> Hold? {
    if holds[session]?.count ?? 0 >= Self.most {
      let ended = holds[session]?.filter(\.value.hasEnded).min { first, second in
        first.value.number.rawValue < second.value.number.rawValue
      }
      guard let ended else { return nil }
      _ = remove(ended.key, of: session)
    }
    lastNumber += 1
    let hold = Hold(
      number: HoldNumber(lastNumber), input: input, control: control.name, id: control.id, lease: lease)
    holds[session, default: [:]][name] = hold
    names[hold.number] = name
    deadline = .earliest(deadline, lease)
    return hold
  }

  /// A fader begins again after its end: where it stands is what its client means. A button does not, because that would
  /// be one press more.
  func renew(_ name: String, of session: Int64, until lease: Instant?) {
    guard var hold = holds[session]?[name], !hold.hasEnded || hold.input == .fader else { return }
    (hold.lease, hold.hasEnded) = (lease, false)
    holds[session]?[name] = hold
    deadline = .earliest(deadline, lease)
  }

  /// The connection renews holds by Renew.
  func noteRenewal(of session: Int64) { renewing.insert(session) }

  func hasRenewed(_ session: Int64) -> Bool { renewing.contains(session) }

  // MARK: Ends

  /// Frees the name; nil: there is no such hold.
  func remove(_ name: String, of session: Int64) -> Hold? {
    guard let hold = holds[session]?.removeValue(forKey: name) else { return nil }
    if holds[session]?.isEmpty == true { holds[session] = nil }
    released.append(hold.number)
    if released.count > 2 * Self.mostReleased {
      for number in released.prefix(Self.mostReleased) { names[number] = nil }
      released.removeFirst(Self.mostReleased)
    }
    return hold
  }

  /// All holds of a connection that has ended, in the order in which they began.
  func removeAll(of session: Int64) -> [Hold] {
    renewing.remove(session)
    guard let its = holds[session] else { return [] }
    return its.sorted { $0.value.number.rawValue < $1.value.number.rawValue }
      .compactMap { remove($0.key, of: session) }
  }

  /// The holds whose leases end by `now`, in the order of their ends. After a stall they end with the next wakeup, unless a renewal
  /// has arrived meanwhile.
  func endLeases(at now: Instant) -> [(end: Instant, hold: Hold)] {
    guard let deadline, deadline <= now else { return [] }
    var ended: [(end: Instant, hold: Hold)] = []
    self.deadline = nil
    update { hold, _ in
      guard let lease = hold.lease else { return }
      guard lease <= now, !Interruptions.isStall(since: lease, at: now) else {
        hold.lease = max(lease, now)
        self.deadline = .earliest(self.deadline, hold.lease)
        return
      }
      ended.append((lease, hold))
      (hold.lease, hold.hasEnded) = (nil, true)
    }
    return ended.sorted { ($0.end, $0.hold.number.rawValue) < ($1.end, $1.hold.number.rawValue) }
  }

  /// Another configuration is in force, or a client has less rights: `find` gives the control of a name, and `mayChange` whether the client of a
  /// connection may still change it. Returns the holds that end.
  func adopt(
    _ find: (_ control: String) -> ControlID?, mayChange: (ControlID, _ session: Int64) -> Bool
  ) -> [Hold] {
    var ended: [Hold] = []
    update { hold, session in
      let id = find(hold.control)
      hold.id = id ?? hold.id
      guard !hold.hasEnded, id.map({ !mayChange($0, session) }) ?? true else { return }
      ended.append(hold)
      (hold.lease, hold.hasEnded) = (nil, true)
    }
    return ended.sorted { $0.number.rawValue < $1.number.rawValue }
  }

  private func update(_ change: (inout Hold, _ session: Int64) -> Void) {
    for (session, its) in holds {
      for (name, hold) in its {
        var hold = hold
        change(&hold, session)
        holds[session]?[name] = hold
      }
    }
  }
}
