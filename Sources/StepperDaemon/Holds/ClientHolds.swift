import StepperCore

/// The buttons and faders of controls that clients hold, each by its connection and the name that the client chose.
///
/// A hold ends with its lease or its connection. A hold whose lease has ended keeps its name until it is released, so
/// that a late renewal presses nothing.
final class ClientHolds {
  /// Maximum number of holds of a connection. A new hold replaces the oldest one that has ended.
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
    /// When the hold ends by itself; nil: when the connection closes.
    var lease: Instant?
    /// Whether the hold has ended and only its name is still in use.
    var hasEnded = false
  }

  /// By connection, then by name.
  private var holds: [Int64: [String: Hold]] = [:]
  /// No lease ends before this time; nil: there is no lease. A renewal does not postpone it.
  private(set) var deadline: Instant?
  private var lastNumber: Int64 = 0
  /// The names of the present holds and of the last ones that were released: a moment may come after the release.
  private var names: [HoldNumber: String] = [:]
  private var released: [HoldNumber] = []
  private static let mostReleased = 256
  /// The connections that have called Renew. On these, Press does not renew a hold.
  private var renewing: Set<Int64> = []

  /// The hold with that name; nil: the client has none.
  func hold(_ name: String, of session: Int64) -> Hold? { holds[session]?[name] }

  /// The name of a hold; nil: it was released long ago.
  func name(of number: HoldNumber) -> String? { names[number] }

  // MARK: Holding

  /// Adds a hold; nil: the client has too many.
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

  /// Renews a hold. A fader that has ended begins again, because its client means the position where it is now. A
  /// button does not, because that would be another press.
  func renew(_ name: String, of session: Int64, until lease: Instant?) {
    guard var hold = holds[session]?[name], !hold.hasEnded || hold.input == .fader else { return }
    (hold.lease, hold.hasEnded) = (lease, false)
    holds[session]?[name] = hold
    deadline = .earliest(deadline, lease)
  }

  /// Notes that the connection has called Renew.
  func noteRenewal(of session: Int64) { renewing.insert(session) }

  func hasRenewed(_ session: Int64) -> Bool { renewing.contains(session) }

  // MARK: Ends

  /// Removes a hold and frees its name; nil: there is no such hold.
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

  /// Removes all holds of a connection that has ended, and returns them in the order in which they began.
  func removeAll(of session: Int64) -> [Hold] {
    renewing.remove(session)
    guard let its = holds[session] else { return [] }
    return its.sorted { $0.value.number.rawValue < $1.value.number.rawValue }
      .compactMap { remove($0.key, of: session) }
  }

  /// Ends the leases that are due at `now`. Returns their holds, in the order of these ends. See
  /// ``Interruptions/end(of:at:)``.
  func endLeases(at now: Instant) -> [(end: Instant, hold: Hold)] {
    guard let deadline, deadline <= now else { return [] }
    var ended: [(end: Instant, hold: Hold)] = []
    self.deadline = nil
    update { hold, _ in
      guard let lease = hold.lease else { return }
      let end = Interruptions.end(of: lease, at: now)
      guard end <= now else {
        hold.lease = end
        self.deadline = .earliest(self.deadline, end)
        return
      }
      ended.append((lease, hold))
      (hold.lease, hold.hasEnded) = (nil, true)
    }
    return ended.sorted { ($0.end, $0.hold.number.rawValue) < ($1.end, $1.hold.number.rawValue) }
  }

  /// Applies another configuration, or fewer rights of a client. `find` returns the control with a name, and
  /// `mayChange` whether the client of a connection may still change a control. Returns the holds that end.
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
