import StepperCore

extension ControlOption {
  /// Every option, in the order in which people are shown them.
  static let all: [ControlOption] = values + presses + limits + publishing + text + [feedback]

  private static let values: [ControlOption] = [
    .word(.kind, \.settings.kind, "what sort of value it is"),
    .bound(.minimum, \.settings.minimumValue, "lower end of the range; \"none\" is unbounded"),
    .bound(.maximum, \.settings.maximumValue, "upper end of the range; \"none\" is unbounded"),
    ControlOption(
      key: .step, explanation: "what one step changes the value by",
      read: { value, draft in
        if let step = value.positive() { draft.settings.stepValue = step }
      },
      text: { "\($0.settings.stepValue.normalized)" }),
    ControlOption(
      key: .page, explanation: "what one page (large step) changes the value by",
      read: { value, draft in
        if value.node.isText("ten steps") {
          draft.page = nil
        } else if let page = value.positive() {
          draft.page = page
        }
      },
      text: { $0.page.map { "\($0.normalized)" } ?? quoted("ten steps") }),
    ControlOption(
      key: .initial,
      explanation: "value at the first start and after a reset; else 0 or the end nearest to it",
      read: { value, draft in
        if value.node.isText("nearest 0") {
          draft.initial = nil
        } else {
          draft.initial = value.initial() ?? draft.initial
        }
      },
      text: { draft in
        switch draft.initial {
        case .number(let number): "\(number.normalized)"
        case .word(let word): quoted(word)
        case nil: quoted("nearest 0")
        }
      }),
    .flag(.unset, \.settings.textRules.canBeUnset, "whether it may have no value; steps do nothing then"),
    .count(
      .digits, \.digits, in: 0...9, or: "as needed", "decimal places that are shown"),
    .count(
      .precision, \.precision, in: 0...9, or: "as shown", "decimal places that are kept"),
    .count(
      .significantDigits, \.settings.feel.significantDigits, in: 1...18, or: "all",
      "digits that are shown in all"),
    .word(.rounding, \.settings.feel.rounding, "where a value halfway between two shown ones goes"),
  ]

  private static let presses: [ControlOption] = [
    .word(.firstStep, \.settings.feel.firstStep, "when a button that repeats makes its first step"),
    .flag(.autorepeat, \.settings.feel.autorepeat, "whether holding a button repeats"),
    ControlOption(
      key: .repeat,
      explanation: "when it repeats: after a delay, then at intervals that may change in stages",
      read: { value, draft in
        if let schedule = value.repeatSchedule() { draft.settings.feel.repeatSchedule = schedule }
      },
      text: { $0.settings.feel.repeatSchedule.text }),
    .word(.singleStep, \.settings.feel.singleStep, "when a button that does not repeat makes its step"),
    ControlOption(
      key: .climbRate, explanation: "what the step of a long hold grows by, up to a page; 0 is never",
      read: { value, draft in
        draft.climbsByStep = value.node.isText("step")
        guard !draft.climbsByStep, let rate = value.decimal(or: " or \"step\"") else { return }
        if rate < 0 { value.report("must not be negative, found \(rate)") }
        draft.settings.feel.climb.rate = rate
      },
      text: { $0.climbsByStep ? quoted("step") : "\($0.settings.feel.climb.rate.normalized)" }),
    .count(.climbEvery, \.settings.feel.climb.every, in: 1...1_000, "steps that count before it grows"),
    .count(
      .climbAfter, \.settings.feel.climb.after, in: 0...1_000, "first steps of a hold that do not count"),
    .word(.toLimit, \.settings.feel.limitStep, "when a button to-minimum or to-maximum moves the value"),
    .word(.secondPress, \.settings.feel.secondPress, "what a press does while another button is held"),
    .word(
      .lostRelease, \.settings.feel.lostRelease, "what becomes of a hold when its device is gone"),
  ]

  private static let limits: [ControlOption] = [
    .word(.partialStep, \.settings.feel.partialStep, "what a step does that would pass an end"),
    .flag(.wraps, \.settings.feel.wraps, "whether a step past one end goes to the other"),
    .word(
      .wrapWhen, \.settings.feel.wrapWhen, "which step wraps: one that would pass the end, or one from it"),
    .word(.wrapLanding, \.settings.feel.wrapLanding, "where it lands: at the opposite end, or past it"),
    .word(.atLimit, \.settings.feel.atLimit, "what becomes of a hold that has reached an end"),
    .word(
      .limitButtons, \.settings.feel.limitButtons, "whether a button with nowhere to go can be pressed"),
    .word(
      .rangeConflict, \.settings.feel.rangeConflict, "what happens when the minimum would exceed the maximum"),
    .word(
      .rangeChange, \.settings.feel.rangeChange, "when a value that a new range does not hold is clamped"),
    .word(.bounds, \.settings.feel.bounds, "whether values outside the range are kept out"),
  ]

  private static let publishing: [ControlOption] = [
    .flag(
      .continuous, \.settings.feel.isContinuous, "whether clients see every change, or each gesture's end"),
    .flag(
      .publishUnchanged, \.settings.feel.publishesUnchanged, "whether setting the same value again is told"),
    .snapToTicks,
    .word(.commit, \.settings.feel.commit, "before which steps the value becomes what is shown"),
    .word(.turns, \.settings.feel.turns, "whether a fast turn counts its detents, or once"),
    .word(.curve, \.settings.feel.curve, "how the travel of a fader maps to the range"),
    .word(.pickup, \.settings.feel.pickup, "what a fader does after the value was set by something else"),
  ]

  /// GTK's is a boolean.
  private static var snapToTicks: ControlOption {
    ControlOption(
      key: .snapToTicks,
      explanation: "when the value snaps to multiples of the step, counted from the minimum",
      words: Feel.Snapping.allCases.map(\.rawValue),
      read: { value, draft in
        if case .boolean(let isOn) = value.node {
          draft.settings.feel.snapping = isOn ? .commit : .none
        } else if let word = value.word(of: Feel.Snapping.self) {
          draft.settings.feel.snapping = word
        }
      },
      text: { quoted($0.settings.feel.snapping.rawValue) })
  }

  private static let text: [ControlOption] = [
    .word(.updatePolicy, \.settings.textRules.updatePolicy, "what a text that is set may be"),
    .flag(
      .numeric, \.settings.textRules.isNumeric, "whether such a text may hold only digits, sign and mark"),
    .expressions,
    .word(.divideByZero, \.settings.textRules.divisionByZero, "what an expression without a result does"),
    .word(.format, \.presentation.format, "how clients write the value for people"),
    ControlOption(
      key: .currency, explanation: "ISO 4217 code for format = \"currency\"",
      read: { value, draft in
        if value.node.isText("none") {
          draft.presentation.currency = nil
        } else {
          draft.presentation.currency = value.currency() ?? draft.presentation.currency
        }
      },
      text: { quoted($0.presentation.currency ?? "none") }),
    .flag(.grouping, \.presentation.groups, "whether clients group thousands"),
    .word(.speech, \.presentation.speech, "whose words a screen reader says"),
    .word(.announce, \.presentation.announcement, "whether a change is to be announced by itself"),
  ]

  private static let feedback = ControlOption(
    key: .feedback, explanation: "what each moment feels like; moments that are not named keep what they had",
    read: { value, draft in
      if let rules = value.feedback(onTopOf: draft.presentation.feedback) {
        draft.presentation.feedback = rules
      }
    },
    text: { $0.presentation.feedback.text })

  /// NumberBox's is a boolean.
  private static var expressions: ControlOption {
    ControlOption(
      key: .expressions, explanation: "whether a text may be computed, and by whose rules",
      words: ExpressionGrammar.allCases.map(\.rawValue),
      read: { value, draft in
        if case .boolean(let isOn) = value.node {
          draft.settings.textRules.expressions = isOn ? .numberbox : .none
        } else if let word = value.word(of: ExpressionGrammar.self) {
          draft.settings.textRules.expressions = word
        }
      },
      text: { quoted($0.settings.textRules.expressions.rawValue) })
  }
}

extension ConfigurationValue {
  /// A number, or a word whose meaning depends on the kind of the control.
  fileprivate func initial() -> ControlDraft.Initial? {
    if case .string = node { return anyText(upTo: ConfigurationLimit.textBytes).map { .word($0) } }
    return decimal(or: ", \"unset\", or the name of a choice").map { .number($0) }
  }

  fileprivate func currency() -> String? {
    guard let code = text(upTo: 3) else { return nil }
    guard code.utf8.count == 3, code.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")) ~= $0 }) else {
      report("must be three capital letters such as \"EUR\", or \"none\", found \(quoted(code))")
      return nil
    }
    return code
  }
}
