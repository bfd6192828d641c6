/// Distinguishes short presses, long presses, and presses during which the knob is turned.
///
/// A short press is recognized at the release, a long press after its delay; a turn during the press cancels
/// both. Without a long action every press is short.
struct PushRecognizer: Hashable, Sendable {
  private struct Press: Hashable, Sendable {
    var source: InputSource
    var actions: PushActions
    /// When it becomes a long press; nil: it does not become one.
    var longPress: Instant?
    var isDecided = false
  }
  private var press: Press?
  /// Presses that counted.
  private(set) var count: Int64 = 0

  /// Which button is down.
  var source: InputSource? { press?.source }

  var deadline: Instant? { press?.longPress }

  /// Whether this press counts: a second button that is pressed during a press does not.
  mutating func press(by source: InputSource, _ actions: PushActions, at now: Instant) -> Bool {
    guard press == nil else { return false }
    let longPress = actions.long == .none ? nil : now + actions.longPressDelay
    press = Press(source: source, actions: actions, longPress: longPress)
    count += 1
    return true
  }

  /// The actions of the release of the button that is down, in their order.
  mutating func release() -> [PushActions.Action] {
    guard let press else { return [] }
    self.press = nil
    return (press.isDecided ? [] : [press.actions.short]) + [press.actions.release]
  }

  /// The action of ``deadline``.
  mutating func fire() -> PushActions.Action {
    guard let actions = press?.actions else { return .none }
    decide()
    return actions.long
  }

  /// The knob was turned while pressed.
  mutating func turn() { decide() }

  /// The button `source` modified another input while it was down, so that it is no press of its own.
  mutating func modify(with source: InputSource) {
    if source == self.source { decide() }
  }

  private mutating func decide() {
    press?.isDecided = true
    press?.longPress = nil
  }

  /// The button is gone: its press is neither short nor long. Returns the action of its release.
  mutating func cancel() -> PushActions.Action {
    defer { press = nil }
    return press?.actions.release ?? .none
  }

  mutating func skip(_ duration: Duration) {
    if let longPress = press?.longPress { press?.longPress = longPress + duration }
  }
}
