/// Tells short from long presses of a knob, and from pressing it to turn it.
///
/// The short press is decided at the release, the long one at its delay; a turn meanwhile cancels both.
/// Without a long action every press is a short one.
struct PushRecognizer: Hashable, Sendable {
  private struct Press: Hashable, Sendable {
    var source: HoldSource
    var actions: PushActions
    /// When it becomes a long press; nil: it does not, or no more.
    var longPress: Instant?
    var isDecided = false
  }
  private var press: Press?

  /// Which button is down.
  var source: HoldSource? { press?.source }

  var deadline: Instant? { press?.longPress }

  /// Whether this press counts: a second button pressed meanwhile does not.
  mutating func press(by source: HoldSource, _ actions: PushActions, at now: Instant) -> Bool {
    guard press == nil else { return false }
    let longPress = actions.long == .none ? nil : now + actions.longPressDelay
    press = Press(source: source, actions: actions, longPress: longPress)
    return true
  }

  /// What the release of the button that is down orders, in this order.
  mutating func release() -> [PushActions.Action] {
    guard let press else { return [] }
    self.press = nil
    return (press.isDecided ? [] : [press.actions.short]) + [press.actions.release]
  }

  /// What ``deadline`` orders.
  mutating func fire() -> PushActions.Action {
    guard let actions = press?.actions else { return .none }
    decide()
    return actions.long
  }

  /// The knob was turned while pressed.
  mutating func turn() { decide() }

  private mutating func decide() {
    press?.isDecided = true
    press?.longPress = nil
  }

  /// The button is gone, and with it what it might have decided; returns what it orders all the same.
  mutating func cancel() -> PushActions.Action {
    defer { press = nil }
    return press?.actions.release ?? .none
  }

  mutating func skip(_ duration: Duration) {
    if let longPress = press?.longPress { press?.longPress = longPress + duration }
  }
}
