/// Distinguishes short presses, long presses, and presses during which the knob is turned.
///
/// A short press is recognized at the release, a long press after its delay; a turn during the press cancels
/// both. Without a long action every press is short.
struct PushRecognizer: Hashable, Sendable {
  private struct Press: Hashable, Sendable {
    var source: InputSource
    var actions: PushActions
    var isDecided = false
  }
  private var press: Press?
  /// When the press becomes a long one; nil: it does not.
  private(set) var deadline: Instant?
  /// Presses that counted.
  private(set) var count: Int64 = 0

  var source: InputSource? { press?.source }

  /// Whether this press counts: a second button that is pressed during a press does not.
  mutating func press(by source: InputSource, _ actions: PushActions, at now: Instant) -> Bool {
    guard press == nil else { return false }
    press = Press(source: source, actions: actions)
    deadline = actions.long == .none ? nil : now + actions.longPressDelay
    count += 1
    return true
  }

  /// The actions of the release of the button that is down, in their order.
  mutating func release() -> [PushActions.Action] {
    guard let press else { return [] }
    end()
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
    deadline = nil
  }

  /// The button is gone: its press is neither short nor long. Returns the action of its release.
  mutating func cancel() -> PushActions.Action {
    defer { end() }
    return press?.actions.release ?? .none
  }

  mutating func skip(_ duration: Duration) { deadline = deadline.map { $0 + duration } }

  private mutating func end() {
    press = nil
    deadline = nil
  }
}
