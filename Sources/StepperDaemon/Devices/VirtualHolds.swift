import StepperCore

/// Who holds which button of a virtual device. A button is down while anybody holds it; what a connection
/// holds is let go when it closes.
struct VirtualHolds {
  /// A button of a virtual device.
  struct Button: Hashable {
    var device: String
    var input: VirtualInput
  }

  /// Somebody who holds a button.
  enum Holder: Hashable {
    case session(Int64)
    /// A click, which ends by itself.
    case click
  }

  private var holders: [Button: Set<Holder>] = [:]

  /// Whether the button goes down with this.
  mutating func press(_ button: Button, by holder: Holder) -> Bool {
    let wasUp = holders[button] == nil
    holders[button, default: []].insert(holder)
    return wasUp
  }

  /// Whether the button goes up with this.
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

  /// Devices that are gone hold nothing.
  mutating func forget(device: String) {
    for button in holders.keys where button.device == device { holders[button] = nil }
  }
}
