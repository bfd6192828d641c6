import StepperCore
import StepperText

/// The keys of `[profile.NAME]` beside those of ``OptionKey``.
enum ProfileKey: String, ConfigurationKey {
  case base, about

  typealias Target = Void
}

/// The options of profiles; each can be set for a control as well.
package enum OptionKey: String, ConfigurationKey {
  // The value
  case kind, minimum, maximum, step, page, initial
  case resetAfter = "reset-after"
  case unset, digits, precision
  case significantDigits = "significant-digits"
  case rounding
  // A button that is pressed
  case firstStep = "first-step"
  case autorepeat
  case `repeat`
  case singleStep = "single-step"
  case climbRate = "climb-rate"
  case climbEvery = "climb-every"
  case climbAfter = "climb-after"
  case toLimit = "to-limit"
  case secondPress = "second-press"
  case lostRelease = "lost-release"
  case multiPress = "multi-press"
  // The ends of the range
  case partialStep = "partial-step"
  case wraps
  case wrapWhen = "wrap-when"
  case wrapLanding = "wrap-landing"
  case atLimit = "at-limit"
  case limitButtons = "limit-buttons"
  case rangeConflict = "range-conflict"
  case rangeChange = "range-change"
  case bounds
  // Publishing
  case continuous
  case publishUnchanged = "publish-unchanged"
  case snapToTicks = "snap-to-ticks"
  case commit
  // Knobs and faders
  case turns, curve, pickup
  // Text
  case updatePolicy = "update-policy"
  case numeric, expressions
  case divideByZero = "divide-by-zero"
  case format, currency, grouping
  case speech, announce
  // Feedback
  case feedback

  package static var standard: ControlDraft { ControlDraft() }

  package var key: Key<ControlDraft> {
    switch self {
    case .kind: Key(\.settings.kind, .word, "the sort of value")
    case .minimum:
      Key(\.settings.minimumValue, .decimal, or: "none", "lower end of the range; \"none\" is unbounded")
    case .maximum:
      Key(\.settings.maximumValue, .decimal, or: "none", "upper end of the range; \"none\" is unbounded")
    case .step:
      Key(\.settings.stepValue, .positive, "what one step changes the value by")
    case .page:
      Key(\.page, .page, or: "ten steps", "what one page (large step) changes the value by")
    case .initial:
      Key(
        \.initial, .initial, or: "nearest 0",
        "value at the first start and after a reset; else 0 or the end nearest to it")
    case .resetAfter:
      Key(
        \.settings.feel.resetAfter, .duration(in: .seconds(1) ... .seconds(86_400)), or: "never",
        "time without a touch of any input after which the value is the initial one again")
    case .unset:
      Key(\.settings.textRules.canBeUnset, .flag, "whether it may have no value; steps do nothing then")
    case .digits: Key(\.digits, .integer(in: 0...9), or: "as needed", "decimal places that are shown")
    case .precision: Key(\.precision, .integer(in: 0...9), or: "as shown", "decimal places that are kept")
    case .significantDigits:
      Key(\.settings.feel.significantDigits, .integer(in: 1...18), or: "all", "digits that are shown in all")
    case .rounding: Key(\.settings.feel.rounding, .word, "rounding of a value halfway between two shown ones")

    case .firstStep: Key(\.settings.feel.firstStep, .word, "when a button that repeats makes its first step")
    case .autorepeat: Key(\.settings.feel.autorepeat, .flag, "whether holding a button repeats")
    case .repeat:
      Key(
        \.settings.feel.repeatSchedule, .schedule,
        "when it repeats: after a delay, then at intervals that may change in stages")
    case .singleStep:
      Key(\.settings.feel.singleStep, .word, "when a button that does not repeat makes its step")
    case .climbRate:
      Key(
        \.climbRate, .climbRate, or: "step",
        "what the step of a long hold grows by, up to a page; 0 is never")
    case .climbEvery:
      Key(\.settings.feel.climb.every, .integer(in: 1...1_000), "steps that count before it grows")
    case .climbAfter:
      Key(\.settings.feel.climb.after, .integer(in: 0...1_000), "first steps of a hold that do not count")
    case .toLimit:
      Key(\.settings.feel.limitStep, .word, "when a button to-minimum or to-maximum moves the value")
    case .secondPress:
      Key(\.settings.feel.secondPress, .word, "what a press does while another button is held")
    case .lostRelease:
      Key(\.settings.feel.lostRelease, .word, "what happens to a hold whose device is removed")
    case .multiPress:
      Key(
        \.settings.feel.multiPress, .multiPress,
        "how soon the next press of a double or triple press must follow")

    case .partialStep: Key(\.settings.feel.partialStep, .word, "what a step does that would pass an end")
    case .wraps: Key(\.settings.feel.wraps, .flag, "whether a step past one end goes to the other")
    case .wrapWhen:
      Key(\.settings.feel.wrapWhen, .word, "which step wraps: one that would pass the end, or one from it")
    case .wrapLanding:
      Key(\.settings.feel.wrapLanding, .word, "where it lands: at the opposite end, or past it")
    case .atLimit: Key(\.settings.feel.atLimit, .word, "what happens to a hold that has reached an end")
    case .limitButtons:
      Key(\.settings.feel.limitButtons, .word, "whether a button with nowhere to go can be pressed")
    case .rangeConflict:
      Key(\.settings.feel.rangeConflict, .word, "what happens when the minimum would exceed the maximum")
    case .rangeChange:
      Key(\.settings.feel.rangeChange, .word, "when a value that a new range does not hold is clamped")
    case .bounds: Key(\.settings.feel.bounds, .word, "whether values outside the range are kept out")

    case .continuous:
      Key(
        \.settings.feel.isContinuous, .flag,
        "whether every change is published, or one at the end of a gesture")
    case .publishUnchanged:
      Key(\.settings.feel.publishesUnchanged, .flag, "whether setting the same value again is published")
    case .snapToTicks:
      // In GTK this is a boolean.
      Key(
        \.settings.feel.snapping, .word(flags: (on: .commit, off: .none)),
        "when the value snaps to multiples of the step, counted from the minimum")
    case .commit: Key(\.settings.feel.commit, .word, "before which steps the value becomes what is shown")
    case .turns: Key(\.settings.feel.turns, .word, "whether a fast turn counts its detents, or once")
    case .curve: Key(\.settings.feel.curve, .word, "how the travel of a fader maps to the range")
    case .pickup:
      Key(\.settings.feel.pickup, .word, "what a fader does after the value was set by something else")

    case .updatePolicy: Key(\.settings.textRules.updatePolicy, .word, "what a text that is set may be")
    case .numeric:
      Key(\.settings.textRules.isNumeric, .flag, "whether such a text may hold only digits, sign and mark")
    case .expressions:
      // In NumberBox this is a boolean.
      Key(
        \.settings.textRules.expressions, .word(flags: (on: .numberbox, off: .none)),
        "whether a text may be computed, and by whose rules")
    case .divideByZero:
      Key(\.settings.textRules.divisionByZero, .word, "what an expression without a result does")
    case .format: Key(\.presentation.format, .word, "how clients write the value for people")
    case .currency:
      Key(
        \.presentation.currency, .currency, or: "none", "ISO 4217 code for format = \"currency\"")
    case .grouping: Key(\.presentation.groups, .flag, "whether clients group thousands")
    case .speech: Key(\.presentation.speech, .word, "the platform whose screen reader phrases are used")
    case .announce:
      Key(\.presentation.announcement, .word, "whether screen readers announce changes automatically")
    case .feedback:
      Key(
        type: nil, explanation: "the effect of each moment; moments that are not named keep what they had",
        words: [],
        read: { value, draft in
          let rules = draft.presentation.feedback
          draft.presentation.feedback = value.feedback(onTopOf: rules) ?? rules
        },
        text: \.presentation.feedback.text)
    }
  }
}

extension Kind<ControlDraft.Initial> {
  /// A number, or a word whose meaning depends on the kind of the control.
  fileprivate static var initial: Self {
    Self(
      type: "number, `\"unset\"`, a name of `choices`, `\"on\"`, `\"off\"`",
      read: { value, _ in
        if case .string = value.node {
          return value.anyText(upTo: ConfigurationLimit.textBytes).map { .word($0) }
        }
        return value.decimal(or: ", \"unset\", or the name of a choice").map { .number($0) }
      }, text: \.text)
  }
}

extension Kind<FixedPoint> {
  fileprivate static var climbRate: Self {
    Self(
      type: "number, 0 or more",
      read: { value, alternative in
        let rate = value.decimal(or: alternative)
        if let rate, rate < 0 { value.report("must not be negative, found \(rate)") }
        return rate
      }, text: { "\($0.normalized)" })
  }
}

extension Kind<String> {
  fileprivate static var currency: Self {
    checked(
      upTo: 3, type: "ISO 4217 code such as `EUR`", "three capital letters such as \"EUR\", or \"none\""
    ) { code in code.utf8.count == 3 && code.utf8.allSatisfy { "A"..."Z" ~= $0 } }
  }
}
