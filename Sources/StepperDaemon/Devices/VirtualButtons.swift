import StepperCore

/// The buttons of virtual devices. A button is down while it has a holder. The holds of a connection end when it
/// closes, a click at its deadline.
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

  private var holders: [Button: Set<Holder>] = [:]
  /// The deadlines of clicks.
  private var clicks: [Button: Instant] = [:]

  /// Returns whether the button goes down.
  mutating func press(_ button: Button, by holder: Holder) -> Bool {
    let wasUp = holders[button] == nil
    holders[button, default: []].insert(holder)
    return wasUp
  }

  /// Returns whether the button goes up.
  mutating func release(_ button: Button, by holder: Holder) -> Bool {
    guard holders[button]?.remove(holder) != nil, holders[button]?.isEmpty == true else { return false }
    holders[button] = nil
    return true
  }

  /// The buttons that go up when a connection closes.
  mutating func release(all holder: Holder) -> [Button] {
    let held = holders.keys.filter { holders[$0]?.contains(holder) == true }
    return held.filter { release($0, by: holder) }
  }

  /// Returns whether the button goes down. Clicks of one button that overlap are one, until the end of the last of
  /// them.
  mutating func click(_ button: Button, until end: Instant) -> Bool {
    clicks[button] = max(clicks[button] ?? end, end)
    return press(button, by: .click)
  }

  /// The end of the next click.
  var deadline: Instant? { clicks.isEmpty ? nil : clicks.values.min() }

  /// The buttons that go up because their clicks end by `now`, in the order of their ends.
  mutating func endClicks(at now: Instant) -> [Button] {
    guard let deadline, deadline <= now else { return [] }
    let ended = clicks.filter { $0.value <= now }.sorted { $0.value < $1.value }.map(\.key)
    for button in ended { clicks[button] = nil }
    return ended.filter { release($0, by: .click) }
  }

  /// Removes the holds of removed devices.
  mutating func removeHolds(of device: String) {
    clicks = clicks.filter { $0.key.device != device }
    for button in holders.keys where button.device == device { holders[button] = nil }
  }
}
