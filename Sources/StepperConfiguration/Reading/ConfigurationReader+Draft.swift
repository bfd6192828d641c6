import StepperCore

/// What follows from the options of a control, or of a profile, together.
extension ConfigurationReader {
  /// The settings the engine works by. Combinations that make no sense are reported at a key of `options`
  /// that has a part in it, or of `profile`, which the control takes; nil: it is a profile itself.
  @discardableResult
  mutating func finish(_ draft: ControlDraft, _ options: Section<OptionKey>, taking profile: Profile?)
    -> ControlSettings
  {
    var settings = draft.settings
    switch settings.kind {
    case .continuous:
      settings.pageIncrement = draft.page ?? settings.stepValue.multiplied(by: 10)
      if draft.climbsByStep { settings.feel.climb.rate = settings.stepValue }
    // A profile does not know its control's.
    case .choice:
      settings.setRange(
        upTo: Int64((settings.choices.isEmpty ? ConfigurationLimit.choices : settings.choices.count) - 1))
    case .toggle, .button: settings.setRange(upTo: 1)
    }
    checkBounds(settings, options)
    settings.initialValue = initialValue(draft, settings, options, profile)
    (settings.digits, settings.precision) = places(draft, settings, options)
    checkCombinations(settings, options, isProfile: profile == nil)
    return settings
  }

  private mutating func checkBounds(_ settings: ControlSettings, _ options: Section<OptionKey>) {
    guard let minimum = settings.minimumValue, let maximum = settings.maximumValue, minimum > maximum else {
      return
    }
    report(
      "the minimum \(minimum) is greater than the maximum \(maximum)",
      at: options.first(of: .minimum, .maximum))
  }

  // MARK: Numbers

  private mutating func initialValue(
    _ draft: ControlDraft, _ settings: ControlSettings, _ options: Section<OptionKey>, _ profile: Profile?
  ) -> FixedPoint? {
    let path = options.path(of: .initial)
    let (lowest, highest) = (settings.minimumValue, settings.maximumValue)
    switch draft.initial {
    case nil: break
    case .word("unset"):
      if settings.textRules.canBeUnset { return nil }
      // What only the profile said gives way.
      if options[.initial] != nil { report("only a control with unset = true can be unset", at: path) }
    case .word(let word):
      if let index = settings.words.firstIndex(where: word.isExactly) {
        return FixedPoint(units: Int64(index), digits: 0)
      }
      // Which words a profile's control has is not known before there is one.
      if let profile { report(word, asInitialOf: settings, options, profile) }
    case .number(let number):
      let isInside = lowest.map { $0 <= number } ?? true && highest.map { number <= $0 } ?? true
      if options[.initial] != nil, !isInside, settings.feel.bounds == .enforced {
        report(
          "\(number) is outside the range \(lowest?.description ?? "none")…\(highest?.description ?? "none")",
          at: path)
        break
      }
      guard settings.feel.bounds == .enforced else { return number }
      let nearest = settings.nearest(to: number)
      return options[.initial] == nil && settings.kind != .continuous ? nearest.rescaled(to: 0) : nearest
    }
    return settings.nearest(to: 0)
  }

  /// An initial value that is none of the control's: at its own key, or that of the profile that says so.
  private mutating func report(
    _ word: String, asInitialOf settings: ControlSettings, _ options: Section<OptionKey>, _ profile: Profile
  ) {
    let words = settings.words
    let allowed = words.isEmpty ? "a number" : "one of \(list(words.lazy.map(quoted)))"
    let meant: (Self) -> String? = { _ in suggestion(for: word, among: words) }
    guard options[.initial] == nil else {
      return report(
        "must be \(allowed), found \(quoted(word))", at: options.path(of: .initial), suggesting: meant)
    }
    let origin = ValuePath.root[RootKey.profile.rawValue][profile.origin(of: .initial) ?? profile.name]
    report(
      "must be \(allowed) for \(options.path), found \(quoted(word))",
      at: origin[OptionKey.initial.rawValue], suggesting: meant)
  }

  /// Decimal places that are shown, and those that are kept: as many as asked for, or as the numbers need.
  private mutating func places(
    _ draft: ControlDraft, _ settings: ControlSettings, _ options: Section<OptionKey>
  ) -> (digits: Int, precision: Int) {
    let numbers =
      [
        settings.minimumValue, settings.maximumValue, settings.stepValue, settings.pageIncrement,
        settings.initialValue, settings.feel.climb.rate,
      ] + settings.bindings.flatMap(\.numbers)
    let needed = ControlSettings.digits(showing: numbers)
    let isContinuous = settings.kind == .continuous
    let shown = isContinuous ? draft.digits ?? (settings.feel.significantDigits == nil ? needed : 0) : 0
    let kept =
      isContinuous ? draft.precision ?? max(shown, settings.feel.significantDigits == nil ? 0 : needed) : 0
    if kept < needed {
      report(
        "is \(kept), but the numbers of this control have \(Self.places(needed))",
        at: options.first(of: .precision, .digits))
    } else if kept < shown {
      report(
        "keeps \(Self.places(kept)), but \(shown) are shown", at: options.first(of: .precision, .digits))
    }
    let largest = numbers.compactMap { $0?.rescaled(to: kept).units.magnitude }.max() ?? 0
    if largest > FixedPoint.mostUnits {
      report(
        "the numbers have more than eighteen digits in all, with \(kept) of them behind the point",
        at: options.path)
    }
    return (shown, kept)
  }

  private static func places(_ count: Int) -> String { "\(count) decimal place\(count == 1 ? "" : "s")" }

  // MARK: What does not go together

  private mutating func checkCombinations(
    _ settings: ControlSettings, _ options: Section<OptionKey>, isProfile: Bool
  ) {
    let feel = settings.feel
    // An end that a profile does not take away itself is left to the control.
    let hasMinimum = settings.minimumValue != nil || isProfile && options[.minimum] == nil
    let hasMaximum = settings.maximumValue != nil || isProfile && options[.maximum] == nil
    if feel.wraps, !(hasMinimum && hasMaximum) {
      report(
        "only a control with a minimum and a maximum can wrap",
        at: options.first(of: .wraps, .minimum, .maximum))
    }
    if feel.partialStep == .grid {
      let path = options.first(of: .partialStep, .climbRate, .bounds, .minimum)
      if !hasMinimum { report("\"grid\" needs a minimum, where it begins", at: path) }
      if feel.climb.rate > 0 {
        report("\"grid\" does not go with a climb-rate, whose steps leave it", at: path)
      }
      if feel.bounds == .advisory {
        report("\"grid\" does not go with bounds = \"advisory\", outside of which it has no values", at: path)
      }
    }
    if settings.textRules.isNumeric, settings.textRules.expressions != .none {
      report(
        "numeric = true refuses the operators of expressions", at: options.first(of: .expressions, .numeric))
    }
  }

  /// Keys that have no meaning for this kind of control.
  mutating func checkKind(_ draft: ControlDraft, _ own: Section<ControlKey>, _ options: Section<OptionKey>) {
    let kind = draft.settings.kind
    if kind == .choice, draft.settings.choices.isEmpty {
      report("needs choices = [ … ], the names of its values", at: own.path)
    } else if kind != .choice, own[.choices] != nil {
      report("only goes with kind = \"choice\"", at: own.path(of: .choices), .key)
    }
    guard kind != .continuous else { return }
    let numeric: [OptionKey] = [
      .minimum, .maximum, .step, .page, .digits, .precision, .significantDigits, .rounding, .climbRate,
      .climbEvery, .climbAfter, .snapToTicks, .bounds, .commit, .updatePolicy, .numeric, .expressions,
      .divideByZero, .format, .currency, .grouping,
    ]
    for key in numeric where options[key] != nil {
      report("only goes with kind = \"continuous\"", at: options.path(of: key), .key)
    }
    guard kind == .button else { return }
    checkButton(options)
    let movers: [ControlKey] = [
      .increment, .decrement, .pageIncrement, .pageDecrement, .toMinimum, .toMaximum, .reset, .rotate,
      .absolute,
    ]
    for key in movers where own[key] != nil {
      report("a button is driven by \"push\" alone", at: own.path(of: key), .key)
    }
    if own[.writableBy] != nil {
      report("a button follows its input and cannot be written", at: own.path(of: .writableBy), .key)
    }
  }

  /// What a button has no use for, in its own table or that of a profile of buttons.
  mutating func checkButton(_ options: Section<OptionKey>) {
    for key in [OptionKey.initial, .unset] where options[key] != nil {
      report("a button is on while it is pressed, and else off", at: options.path(of: key), .key)
    }
  }

  mutating func checkPresentation(
    _ control: ControlConfiguration, _ own: Section<ControlKey>, _ options: Section<OptionKey>
  ) {
    let presentation = control.presentation
    if presentation.format == .currency, presentation.currency == nil {
      report("needs currency = \"EUR\" or another code", at: options.first(of: .format, .currency))
    }
    checkCurrency(presentation, options)
    if control.unit != nil, presentation.format != .decimal {
      report("\(quoted(presentation.format.rawValue)) has its own unit", at: own.path(of: .unit), .key)
    }
  }

  /// A currency that nothing shows. What only the profile said gives way.
  mutating func checkCurrency(_ presentation: Presentation, _ options: Section<OptionKey>) {
    guard presentation.format != .currency, presentation.currency != nil, options[.currency] != nil else {
      return
    }
    report("only goes with format = \"currency\"", at: options.path(of: .currency))
  }
}

extension ControlSettings {
  /// Whole numbers from 0, which is what a choice, a toggle and a button have.
  fileprivate mutating func setRange(upTo maximum: Int64) {
    (minimumValue, maximumValue) = (0, FixedPoint(units: maximum, digits: 0))
    (stepValue, pageIncrement) = (1, 1)
  }
}

extension ControlDraft {
  /// What a profile says of numbers means nothing to a control that is none, and nothing but being pressed
  /// gives a button its value.
  mutating func leaveOutNumbers() {
    if settings.kind == .button { initial = nil }
    let canBeUnset = settings.kind != .button && settings.textRules.canBeUnset
    settings.textRules = TextRules()
    settings.textRules.canBeUnset = canBeUnset
    settings.feel.climb.rate = 0
    settings.feel.significantDigits = nil
    settings.feel.bounds = .enforced
    (presentation.format, presentation.currency) = (.decimal, nil)
  }
}

extension Section<OptionKey> {
  /// Where to report a problem that several keys have a part in: at the first of them that is there, else at
  /// the table.
  fileprivate func first(of keys: OptionKey...) -> ValuePath {
    keys.first { self[$0] != nil }.map(path(of:)) ?? path
  }
}

extension Binding {
  /// The values that a button sets.
  fileprivate var numbers: [FixedPoint?] {
    guard case .push(let actions) = action else { return [] }
    return [actions.press, actions.release, actions.short, actions.long].flatMap { action -> [FixedPoint?] in
      switch action {
      case .toggle(let first, let second): [first, second]
      case .set(let number): [number]
      case .none, .reset, .pageMode: []
      }
    }
  }
}

extension FixedPoint {
  /// Saturated; what is too large is found by the check of all numbers.
  fileprivate func multiplied(by factor: Int64) -> FixedPoint {
    let (product, overflow) = units.multipliedReportingOverflow(by: factor)
    return FixedPoint(units: overflow ? .max : product, digits: digits)
  }
}
