import StepperCore

/// The buttons of virtual devices. A button is down while it has a holder. The holds of a connection end when it
/// closes or their lease ends, a click at its deadline.
struct VirtualButtons {
  /// A button of a virtual device.
  struct Button: Hashable {
    var device: String
    var input: VirtualInput
  }

  /// A holder of a button.
  enum Holder: Hashable {
    case session(Int64)
    /// A click, which ends at a deadline.
    case click
  }

  /// When each hold ends by itself; `distantFuture`: it does not.
  private var holders: [Button: [Holder: Instant]] = [:] { didSet { updateDeadline() } }
  /// The end of the next click or lease.
  private(set) var deadline: Instant?

  /// Returns whether the button goes down. `end` is the end of the lease. Every press sets a new end.
  mutating func press(_ button: Button, by holder: Holder, until end: Instant? = nil) -> Bool {
    let wasUp = holders[button] == nil
    holders[button, default: [:]][holder] = end ?? .distantFuture
    return wasUp
  }

  /// Returns whether the button goes up.
  mutating func release(_ button: Button, by holder: Holder) -> Bool {
    guard holders[button]?.removeValue(forKey: holder) != nil, holders[button]?.isEmpty == true else {
      return false
    }
    holders[button] = nil
    return true
  }

  /// The buttons that go up when a connection closes.
  mutating func release(all holder: Holder) -> [Button] {
    let held = holders.keys.filter { holders[$0]?[holder] != nil }
    return held.filter { release($0, by: holder) }
  }

  /// Returns whether the button goes down. Clicks of one button that overlap are one, until the end of the last of
  /// them.
  mutating func click(_ button: Button, until end: Instant) -> Bool {
    press(button, by: .click, until: max(holders[button]?[.click] ?? end, end))
  }

  private mutating func updateDeadline() {
    deadline = nil
    for its in holders.values {
      for end in its.values where end < .distantFuture { deadline = .earliest(deadline, end) }
    }
  }

  /// Ends the clicks and leases that are due at `now`. Returns the buttons that go up, in the order of these ends. See
  /// ``Interruptions/end(of:at:)`` for leases.
  mutating func endHolds(at now: Instant) -> [Button] {
    guard let deadline, deadline <= now else { return [] }
    var ended: [(end: Instant, button: Button, holder: Holder)] = []
    for (button, its) in holders {
      for (holder, end) in its where end <= now {
        let later = holder == .click ? end : Interruptions.end(of: end, at: now)
        if later > now { holders[button]?[holder] = later } else { ended.append((end, button, holder)) }
      }
    }
    return ended.sorted { $0.end < $1.end }.filter { release($0.button, by: $0.holder) }.map(\.button)
  }

  /// Removes the holds of removed devices.
  mutating func removeHolds(of device: String) { holders = holders.filter { $0.key.device != device } }
}
