/// How a control behaves: options that are independent of each other, and of which profiles are sets.
///
/// The defaults are UIStepper's. The raw values of each enumeration are the words of the configuration.
package struct Feel: Hashable, Sendable {
  // MARK: Press and hold

  /// Whether holding a button repeats.
  package var autorepeat = true
  package var repeatSchedule = RepeatSchedule.uikit
  /// When a press makes its first step, if it repeats.
  package var firstStep = FirstStep.press
  /// When a press makes its step, if it does not repeat.
  package var singleStep = StepMoment.press
  /// When a press to a limit goes there.
  package var limitStep = StepMoment.press
  package var climb = Climb()
  package var secondPress = SecondPress.ignore
  package var lostRelease = LostRelease.end
  /// From a release of a push button to the next press that belongs to the same double or triple press.
  package var multiPress = defaultMultiPress
  package static let defaultMultiPress = Duration.milliseconds(300)

  package enum FirstStep: String, CaseIterable, Hashable, Sendable {
    case press
    /// None at the press, one at the release (GNUstep's NSStepper).
    case release
    /// None at the press; one at the release, unless it has repeated (Wear Compose).
    case tap
  }

  package enum StepMoment: String, CaseIterable, Hashable, Sendable {
    case press, release
  }

  /// What a press does while another button is held.
  package enum SecondPress: String, CaseIterable, Hashable, Sendable {
    /// Nothing: both buttons of a UIStepper cannot be pressed at once.
    case ignore
    /// It ends the hold (GTK).
    case end
    /// It takes over from the hold, as the keys of a keyboard do (GTK).
    case takeOver = "take-over"
    /// Both repeat, and the first release ends both (RPVerticalStepper).
    case both
  }

  /// What happens to a hold whose device was removed.
  package enum LostRelease: String, CaseIterable, Hashable, Sendable {
    case end
    /// It continues until the next press is released (RPVerticalStepper, which loses a release outside).
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

  /// What a step does that would pass an end.
  package enum PartialStep: String, CaseIterable, Hashable, Sendable {
    /// It goes as far as the end: 9 + 2 in 0…10 is 10.
    case clamp
    /// It does not happen: 97 + 5 in 1…99 stays 97 (RPVerticalStepper).
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
    /// As far beyond the opposite end as the step went too far, in whole numbers: 10 + 2 in 0…10 is 1
    /// (GNUstep's NSStepper).
    case modular
  }

  /// What happens to a hold that has reached an end.
  package enum AtLimit: String, CaseIterable, Hashable, Sendable {
    /// It ends, and needs a new press.
    case end
    /// It continues without effect, and moves the value again if the end moves (GTK 3, RPVerticalStepper).
    case pause
    /// It continues, and each repeat publishes the unchanged value (GNUstep's NSStepper).
    case fire
  }

  /// Whether the button of a direction in which there is nowhere to go can be pressed.
  package enum LimitButtons: String, CaseIterable, Hashable, Sendable {
    case off, live
  }

  /// What happens when the minimum would exceed the maximum.
  package enum RangeConflict: String, CaseIterable, Hashable, Sendable {
    /// The maximum becomes the minimum.
    case minimumWins = "minimum-wins"
    /// The change is refused.
    case refuse
    /// The bound that was not set moves to the one that was (NumberBox, UISlider).
    case lastWriter = "last-writer"
    /// Both ends are kept, and every value is the minimum (NSStepper, GTK).
    case valueIsMinimum = "value-is-minimum"
  }

  /// What happens to a value that a new range does not hold.
  package enum RangeChange: String, CaseIterable, Hashable, Sendable {
    case clamp
    /// It is clamped when it is next set or stepped, or at once if both ends were given (GTK).
    case nextSet = "next-set"
    /// It stays until it is set (RPVerticalStepper).
    case never
  }

  package enum Bounds: String, CaseIterable, Hashable, Sendable {
    case enforced
    /// All values are accepted; the ends matter for wrapping only (NumberBox's ValidationMode Disabled).
    case advisory
  }

  // MARK: Values

  /// Whether every change is published, or one when the gesture ends.
  package var isContinuous = true
  /// The value is the initial one again when no input was touched for so long; nil: never.
  package var resetAfter: Duration?
  /// Whether setting the value that it has is published too.
  package var publishesUnchanged = false
  package var snapping = Snapping.none
  package var commit = Commit.none
  package var rounding = FixedPoint.Rounding.halfAway
  /// nil: as many as `digits` decimals need.
  package var significantDigits: Int?

  /// When a value moves to the nearest multiple of the step, counted from the minimum; ties go up.
  package enum Snapping: String, CaseIterable, Hashable, Sendable {
    case none
    /// A text that is set, and before the first step of a press (GTK's buttons).
    case commit
    /// A text that is set, and before and after every step of a press (GTK's keys, each of whose repeats is a
    /// press of its own).
    case key
    case always
  }

  /// The steps of a device before which the value is replaced by the shown value.
  package enum Commit: String, CaseIterable, Hashable, Sendable {
    case none
    /// The first of a press (GTK).
    case press
    /// Every one (NumberBox).
    case step
  }

  // MARK: Knobs and faders

  package var turns = Turns.detents
  package var pickup = Pickup.jump
  package var curve = Taper.linear

  /// The number of steps of several detents in one frame.
  package enum Turns: String, CaseIterable, Hashable, Sendable {
    case detents
    /// One step (NumberBox's wheel).
    case events
  }

  /// What a fader does after another source has set the value.
  package enum Pickup: String, CaseIterable, Hashable, Sendable {
    /// Its next movement takes the value with it.
    case jump
    /// It takes over when it reaches or passes the value.
    case soft
  }

  package init() {}
}

/// How the steps of a long hold grow: GtkSpinButton's `climb_rate`.
package struct Climb: Hashable, Sendable {
  /// Growth of the step while it is smaller than a page; 0: none.
  package var rate: FixedPoint = 0
  /// After how many steps that count.
  package var every = 6
  /// How many steps of a hold do not count: for GTK's buttons the press and the first repeat, for its keys
  /// none.
  package var after = 2
}
