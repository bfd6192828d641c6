import StepperCore
import StepperText

extension OptionKey {
  var option: ControlOption {
    switch self {
    case .kind: .word(\.settings.kind, "what sort of value it is")
    case .minimum: .bound(\.settings.minimumValue, "lower end of the range; \"none\" is unbounded")
    case .maximum: .bound(\.settings.maximumValue, "upper end of the range; \"none\" is unbounded")
    case .step:
      ControlOption(
        \.settings.stepValue, "what one step changes the value by", read: { $0.positive() },
        text: { "\($0.normalized)" })
    case .page:
      ControlOption(
        \.page, or: "ten steps", "what one page (large step) changes the value by",
        read: { $0.positive() }, text: { "\($0.normalized)" })
    case .initial:
      ControlOption(
        \.initial, or: "nearest 0",
        "value at the first start and after a reset; else 0 or the end nearest to it",
        read: { $0.initial() }, text: \.text)
    case .resetAfter:
      ControlOption(
        \.settings.feel.resetAfter, or: "never",
        "time without a touch of any input after which the value is the initial one again",
        read: { $0.duration(in: .seconds(1) ... .seconds(86_400)) }, text: { quoted($0.text) })
    case .unset:
      .flag(\.settings.textRules.canBeUnset, "whether it may have no value; steps do nothing then")
    case .digits: .count(\.digits, in: 0...9, or: "as needed", "decimal places that are shown")
    case .precision: .count(\.precision, in: 0...9, or: "as shown", "decimal places that are kept")
    case .significantDigits:
      .count(\.settings.feel.significantDigits, in: 1...18, or: "all", "digits that are shown in all")
    case .rounding: .word(\.settings.feel.rounding, "where a value halfway between two shown ones goes")

    case .firstStep: .word(\.settings.feel.firstStep, "when a button that repeats makes its first step")
    case .autorepeat: .flag(\.settings.feel.autorepeat, "whether holding a button repeats")
    case .repeat:
      ControlOption(
        \.settings.feel.repeatSchedule,
        "when it repeats: after a delay, then at intervals that may change in stages",
        read: { $0.repeatSchedule() }, text: \.text)
    case .singleStep:
      .word(\.settings.feel.singleStep, "when a button that does not repeat makes its step")
    case .climbRate:
      ControlOption(
        \.climbRate, or: "step", "what the step of a long hold grows by, up to a page; 0 is never",
        read: { $0.climbRate() }, text: { "\($0.normalized)" })
    case .climbEvery:
      .count(\.settings.feel.climb.every, in: 1...1_000, "steps that count before it grows")
    case .climbAfter:
      .count(\.settings.feel.climb.after, in: 0...1_000, "first steps of a hold that do not count")
    case .toLimit:
      .word(\.settings.feel.limitStep, "when a button to-minimum or to-maximum moves the value")
    case .secondPress: .word(\.settings.feel.secondPress, "what a press does while another button is held")
    case .lostRelease:
      .word(\.settings.feel.lostRelease, "what becomes of a hold when its device is gone")
    case .multiPress:
      ControlOption(
        \.settings.feel.multiPress, "how soon the next press of a double or triple press must follow",
        read: { $0.multiPress() }, text: { quoted($0.text) })

    case .partialStep: .word(\.settings.feel.partialStep, "what a step does that would pass an end")
    case .wraps: .flag(\.settings.feel.wraps, "whether a step past one end goes to the other")
    case .wrapWhen:
      .word(\.settings.feel.wrapWhen, "which step wraps: one that would pass the end, or one from it")
    case .wrapLanding:
      .word(\.settings.feel.wrapLanding, "where it lands: at the opposite end, or past it")
    case .atLimit: .word(\.settings.feel.atLimit, "what becomes of a hold that has reached an end")
    case .limitButtons:
      .word(\.settings.feel.limitButtons, "whether a button with nowhere to go can be pressed")
    case .rangeConflict:
      .word(\.settings.feel.rangeConflict, "what happens when the minimum would exceed the maximum")
    case .rangeChange:
      .word(\.settings.feel.rangeChange, "when a value that a new range does not hold is clamped")
    case .bounds: .word(\.settings.feel.bounds, "whether values outside the range are kept out")

    case .continuous:
      .flag(\.settings.feel.isContinuous, "whether clients see every change, or each gesture's end")
    case .publishUnchanged:
      .flag(\.settings.feel.publishesUnchanged, "whether setting the same value again is told")
    case .snapToTicks:
      // GTK's is a boolean.
      .word(
        \.settings.feel.snapping, flags: (on: .commit, off: .none),
        "when the value snaps to multiples of the step, counted from the minimum")
    case .commit: .word(\.settings.feel.commit, "before which steps the value becomes what is shown")
    case .turns: .word(\.settings.feel.turns, "whether a fast turn counts its detents, or once")
    case .curve: .word(\.settings.feel.curve, "how the travel of a fader maps to the range")
    case .pickup:
      .word(\.settings.feel.pickup, "what a fader does after the value was set by something else")

    case .updatePolicy: .word(\.settings.textRules.updatePolicy, "what a text that is set may be")
    case .numeric:
      .flag(\.settings.textRules.isNumeric, "whether such a text may hold only digits, sign and mark")
    case .expressions:
      // NumberBox's is a boolean.
      .word(
        \.settings.textRules.expressions, flags: (on: .numberbox, off: .none),
        "whether a text may be computed, and by whose rules")
    case .divideByZero:
      .word(\.settings.textRules.divisionByZero, "what an expression without a result does")
    case .format: .word(\.presentation.format, "how clients write the value for people")
    case .currency:
      ControlOption(
        \.presentation.currency, or: "none", "ISO 4217 code for format = \"currency\"",
        read: { $0.currency() }, text: quoted)
    case .grouping: .flag(\.presentation.groups, "whether clients group thousands")
    case .speech: .word(\.presentation.speech, "whose words a screen reader says")
    case .announce: .word(\.presentation.announcement, "whether a change is to be announced by itself")
    case .feedback: .feedback
    }
  }
}

extension ControlOption {
  fileprivate static var feedback: ControlOption {
    ControlOption(
      explanation: "what each moment feels like; moments that are not named keep what they had", words: [],
      read: { value, draft in
        let rules = draft.presentation.feedback
        draft.presentation.feedback = value.feedback(onTopOf: rules) ?? rules
      },
      text: \.presentation.feedback.text)
  }
}

extension ConfigurationValue {
  /// A number, or a word whose meaning depends on the kind of the control.
  fileprivate func initial() -> ControlDraft.Initial? {
    if case .string = node { return anyText(upTo: ConfigurationLimit.textBytes).map { .word($0) } }
    return decimal(or: ", \"unset\", or the name of a choice").map { .number($0) }
  }

  fileprivate func climbRate() -> FixedPoint? {
    let rate = decimal(or: " or \"step\"")
    if let rate, rate < 0 { report("must not be negative, found \(rate)") }
    return rate
  }

  fileprivate func currency() -> String? {
    guard let code = text(upTo: 3) else { return nil }
    if code.utf8.count == 3, code.utf8.allSatisfy({ "A"..."Z" ~= $0 }) { return code }
    return refuse("must be three capital letters such as \"EUR\", or \"none\", found \(quoted(code))")
  }
}
