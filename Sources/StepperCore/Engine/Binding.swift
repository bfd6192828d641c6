/// An input of a device that drives a control, and what it does there.
package struct Binding: Hashable, Sendable {
  package var input: InputReference
  package var action: Action
  /// The number of steps that one step or detent counts for; 1 or more.
  package var multiplier: Int64 = 1
  /// A button of the same device that must be held. While it is held, the input drives only bindings with this
  /// modifier.
  package var modifier: EvdevUsage?
  /// The binding is live while all of these conditions hold; empty: always.
  package var layer: [LayerCondition] = []
  /// The effect of the changes that this binding makes, in place of the one in the control's rules.
  package var feedback: FeedbackEffect?

  package init(_ input: InputReference, _ action: Action) {
    self.input = input
    self.action = action
  }

  package enum Action: Hashable, Sendable {
    /// A button (`EV_KEY`): one step at the press, more while it is held.
    case step(Direction, StepUnit)
    /// A button (`EV_KEY`): back to the initial value.
    case reset
    /// A relative axis (`EV_REL`): the full signed value counts.
    case rotate
    /// An absolute axis (`EV_ABS`): its position within its travel sets the value's position within the control's
    /// range.
    case absolute
    /// A knob's own push button (`EV_KEY`).
    indirect case push(PushActions)
  }
}

/// An input of a configured device, written `knob:REL_DIAL` in the configuration.
package struct InputReference: Hashable, Sendable {
  /// The name of a `[device.NAME]` table.
  package var device: String
  package var usage: EvdevUsage

  package init(device: String, usage: EvdevUsage) {
    self.device = device
    self.usage = usage
  }
}

/// Up or down.
package enum Direction: Int64, Hashable, Sendable {
  case decrement = -1
  case increment = 1
}

/// How far one step goes: GtkAdjustment's step and page increment, or all the way.
package enum StepUnit: Hashable, Sendable {
  case step
  case page
  /// To the end of the range in that direction; never repeated.
  case limit
}

/// What a button with an action of steps does.
struct StepBinding: Hashable, Sendable {
  var direction: Direction
  var unit: StepUnit
  var multiplier: Int64 = 1
  var feedback: FeedbackEffect?
}

/// The actions of a push button. If the knob is turned during a press, the press has no short, double, triple or long action.
package struct PushActions: Hashable, Sendable {
  package enum Action: Hashable, Sendable {
    case none
    /// Back to the initial value.
    case reset
    /// To the second value if the value is the first, otherwise to the first.
    case toggle(FixedPoint, FixedPoint)
    /// Each detent is a page instead of a step, until it happens again.
    case pageMode
    case set(FixedPoint)
    /// One step, or all the way to that end.
    case step(Direction, StepUnit)
    /// The next or the previous name of a choice, past either end to the other.
    case cycle(Direction)
  }

  /// At the press.
  package var press = Action.none
  /// At every release, also when the press is cancelled.
  package var release = Action.none
  /// Decided at the release, if it comes before `longPressDelay` and no more presses are distinguished.
  package var short: Action
  /// Decided at the second release, or after `multiPressInterval` where three presses are distinguished.
  package var double = Action.none
  /// Decided at the third release.
  package var triple = Action.none
  /// Decided when the button has been down for `longPressDelay`.
  package var long: Action
  package var longPressDelay: Duration
  /// Whether a press is recognized as long after `longPressDelay` even if `long` does nothing.
  package var tellsLongPress = false
  /// The longest time from a release to the next press of the same double or triple press.
  package var multiPressInterval = Feel.defaultMultiPress
  /// How many presses in a row are distinguished, 1 to 3. After fewer presses, the button waits for another one.
  package var mostPresses = 1

  package init(short: Action = .none, long: Action = .none, longPressDelay: Duration = .milliseconds(500)) {
    self.short = short
    self.long = long
    self.longPressDelay = longPressDelay
  }

  /// The default actions of a button that is bound to a control of this kind.
  package init(of kind: ControlKind) {
    self.init()
    switch kind {
    case .toggle: press = .toggle(0, 1)
    case .button: (press, release) = (.set(1), .set(0))
    case .continuous, .choice: break
    }
  }

  package var distinguishesLongPress: Bool { long != .none || tellsLongPress }
  package var all: [Action] { [press, release, short, double, triple, long] }
}
