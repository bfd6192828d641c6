/// How a control behaves: a set of independent options. Profiles are combinations of them.
///
/// The defaults are UIStepper's. The raw values of each enumeration are the words of the configuration.
package struct Feel: Hashable, Sendable {
  // MARK: Press and hold

  /// Whether holding a button repeats.
  package var autorepeat = true
  package var repeatSchedule = RepeatSchedule.uikit
  /// When a press that can repeat makes its first step.
  package var firstStep = FirstStep.press
  /// When a press that does not repeat makes its step.
  package var singleStep = StepMoment.press
  /// When a press of a button that goes to a limit goes there.
  package var limitStep = StepMoment.press
  package var climb = Climb()
  package var secondPress = SecondPress.ignore
  package var lostRelease = LostRelease.end
  /// The longest time from a release of a push button to the next press of the same double or triple press.
  package var multiPress = defaultMultiPress
  package static let defaultMultiPress = Duration.milliseconds(300)

  package enum FirstStep: String, CaseIterable, Hashable, Sendable {
    case press
    /// No step at the press, one at the release (GNUstep's NSStepper).
    case release
    /// No step at the press, and one at the release unless the hold has repeated (Wear Compose).
    case tap
  }

  package enum StepMoment: String, CaseIterable, Hashable, Sendable {
    case press, release
  }

  /// What a press does while another button is held.
  package enum SecondPress: String, CaseIterable, Hashable, Sendable {
    /// Nothing: the two buttons of a UIStepper cannot be pressed at once.
    case ignore
    /// The press ends the hold (GTK).
    case end
    /// The press takes over from the hold, as with the keys of a keyboard (GTK).
    case takeOver = "take-over"
    /// Both repeat, and the first release ends both (RPVerticalStepper).
    case both
  }

  /// What happens to a hold whose device was removed.
  package enum LostRelease: String, CaseIterable, Hashable, Sendable {
    case end
    /// The hold continues until the next press is released (RPVerticalStepper, which loses a release outside).
    case runOn = "run-on"
  }

  // MARK: Limits

  package var partialStep = PartialStep.clamp
  /// Whether a step that would pass one end goes to the other.
  package var wraps = false
  package var wrapWhen = WrapWhen.exceed
  package var wrapLanding = WrapLanding.opposite
  package var atLimit = AtLimit.end
  package var limitButtons = LimitButtons.off
  package var rangeConflict = RangeConflict.minimumWins
  package var rangeChange = RangeChange.clamp
  package var bounds = Bounds.enforced

  /// What happens to a step that would pass an end.
  package enum PartialStep: String, CaseIterable, Hashable, Sendable {
    /// The step goes as far as the end: 9 + 2 in 0…10 is 10.
    case clamp
    /// The step does not happen: 97 + 5 in 1…99 stays 97 (RPVerticalStepper).
    case refuse
    /// Steps lead from one multiple of the step, counted from the minimum, to the next, and the maximum is the
    /// last of these (Wear Compose).
    case grid
  }

  package enum WrapWhen: String, CaseIterable, Hashable, Sendable {
    /// A step that would pass the end wraps: 9 + 2 in 0…10 is 0.
    case exceed
    /// Only a step from the end itself wraps: 9 + 2 in 0…10 is 10, and then 0 (GTK).
    case atLimit = "at-limit"
  }

  package enum WrapLanding: String, CaseIterable, Hashable, Sendable {
    /// At the opposite end.
    case opposite
    /// As far beyond the opposite end as the step overshoots, in whole numbers: 10 + 2 in 0…10 is 1 (GNUstep's
    /// NSStepper).
    case modular
  }

  /// What happens to a hold when the value has reached an end.
  package enum AtLimit: String, CaseIterable, Hashable, Sendable {
    /// The hold ends, and the button must be pressed again.
    case end
    /// The hold continues without effect, and moves the value again if the end moves (GTK 3, RPVerticalStepper).
    case pause
    /// The hold continues, and each repeat publishes the unchanged value (GNUstep's NSStepper).
    case fire
  }

  /// Whether a button can be pressed when the value cannot move in its direction.
  package enum LimitButtons: String, CaseIterable, Hashable, Sendable {
    case off, live
  }

  /// What happens when the minimum would exceed the maximum.
  package enum RangeConflict: String, CaseIterable, Hashable, Sendable {
    /// The maximum is set to the minimum.
    case minimumWins = "minimum-wins"
    /// The change is refused.
    case refuse
    /// The bound that was not set moves to the bound that was set (NumberBox, UISlider).
    case lastWriter = "last-writer"
    /// Both bounds are kept, and every value is the minimum (NSStepper, GTK).
    case valueIsMinimum = "value-is-minimum"
  }

  /// What happens to a value outside a new range.
  package enum RangeChange: String, CaseIterable, Hashable, Sendable {
    case clamp
    /// The value is clamped when it is next set or stepped, or at once if both bounds were given (GTK).
    case nextSet = "next-set"
    /// The value stays until it is set (RPVerticalStepper).
    case never
  }

  package enum Bounds: String, CaseIterable, Hashable, Sendable {
    case enforced
    /// All values are accepted; the bounds matter for wrapping only (NumberBox's ValidationMode Disabled).
    case advisory
  }

  // MARK: Values

  /// Whether every change is published; otherwise a gesture publishes once, at its end.
  package var isContinuous = true
  /// The value is reset to the initial value when no input was touched for this long; nil: never.
  package var resetAfter: Duration?
  /// Whether setting the present value again is published too.
  package var publishesUnchanged = false
  package var snapping = Snapping.none
  package var commit = Commit.none
  package var rounding = FixedPoint.Rounding.halfAway
  /// nil: as many as `digits` decimal places give.
  package var significantDigits: Int?

  /// When a value moves to the nearest multiple of the step, counted from the minimum; ties go up.
  package enum Snapping: String, CaseIterable, Hashable, Sendable {
    case none
    /// When a text is set, and before the first step of a press (GTK's buttons).
    case commit
    /// When a text is set, and before and after every step of a press (GTK's keys, where each repeat is a press of
    /// its own).
    case key
    case always
  }

  /// Before which steps of a device the value is replaced by the shown value.
  package enum Commit: String, CaseIterable, Hashable, Sendable {
    case none
    /// Before the first step of a press (GTK).
    case press
    /// Before every step (NumberBox).
    case step
  }

  // MARK: Knobs and faders

  package var turns = Turns.detents
  package var pickup = Pickup.jump
  package var curve = Taper.linear

  /// How many steps several detents in one frame make.
  package enum Turns: String, CaseIterable, Hashable, Sendable {
    case detents
    /// One step (NumberBox's wheel).
    case events
  }

  /// What a fader does after another source has set the value.
  package enum Pickup: String, CaseIterable, Hashable, Sendable {
    /// The next movement of the fader sets the value.
    case jump
    /// The fader takes over when it reaches or passes the value.
    case soft
  }

  package init() {}
}

/// How the steps of a long hold grow: GtkSpinButton's `climb_rate`.
package struct Climb: Hashable, Sendable {
  /// The growth of the step, as long as the step is smaller than a page; 0: none.
  package var rate: FixedPoint = 0
  /// The number of counted steps after which the step grows.
  package var every = 6
  /// How many steps of a hold do not count: with GTK's buttons the press and the first repeat, with its keys none.
  package var after = 2
}
