/// Tells short from long presses of a knob, and from pressing it to turn it.
///
/// The short press is decided at the release, the long one at its delay; a turn meanwhile cancels both.
/// Without a long action every press is a short one.
struct PushRecognizer: Hashable, Sendable {
  private enum State: Hashable, Sendable {
    case up
    /// Pressed by `source`; `longPress` is when it becomes a long press.
    case down(HoldSource, PushActions, longPress: Instant?)
    /// Still pressed, but its action has been decided.
    case decided(HoldSource)
  }
  private var state = State.up

  /// Which button is down.
  var source: HoldSource? {
    switch state {
    case .up: nil
    case .down(let source, _, _), .decided(let source): source
    }
  }

  var deadline: Instant? {
    if case .down(_, _, let longPress) = state { longPress } else { nil }
  }

  /// Whether this press counts: a second button pressed meanwhile does not.
  mutating func press(by source: HoldSource, _ actions: PushActions, at now: Instant) -> Bool {
    guard case .up = state else { return false }
    let hasLongPress = actions.long != .none
    state = .down(source, actions, longPress: hasLongPress ? now + actions.longPressDelay : nil)
    return true
  }

  /// What the release of the button that is down orders.
  mutating func release() -> PushActions.Action {
    defer { state = .up }
    if case .down(_, let actions, _) = state { return actions.short }
    return .none
  }

  /// What ``deadline`` orders.
  mutating func fire() -> PushActions.Action {
    guard case .down(let source, let actions, _) = state else { return .none }
    state = .decided(source)
    return actions.long
  }

  /// The knob was turned while pressed.
  mutating func turn() {
    if case .down(let source, _, _) = state { state = .decided(source) }
  }

  /// The button is gone, and with it what it might have ordered.
  mutating func cancel() { state = .up }

  mutating func skip(_ duration: Duration) {
    if case .down(let source, let actions, let longPress?) = state {
      state = .down(source, actions, longPress: longPress + duration)
    }
  }
}
