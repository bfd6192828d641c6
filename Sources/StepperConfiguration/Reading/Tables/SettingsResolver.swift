import StepperCore
import StepperText

/// Computes the settings that follow from the options of a control, or of a profile.
///
/// Invalid combinations are reported at one of their keys.
struct SettingsResolver {
  let draft: ControlDraft
  let options: Section<OptionKey>
  /// The profile of the control; nil if the options are those of a profile.
  let profile: Profile?

  /// The settings that the engine uses.
  func settings() -> ControlSettings {
    var settings = draft.settings
    switch settings.kind {
    case .continuous:
      settings.pageIncrement = page(settings)
      settings.feel.climb.rate = draft.climbRate ?? settings.stepValue
    // A profile does not know the choices of its control.
    case .choice:
      settings.setRange(
        upTo: Int64((settings.choices.isEmpty ? ConfigurationLimit.choices : settings.choices.count) - 1))
    case .toggle, .button: settings.setRange(upTo: 1)
    }
    if let minimum = settings.minimumValue, let maximum = settings.maximumValue, minimum > maximum {
      options.report(
        "the minimum \(minimum) is greater than the maximum \(maximum)", atFirstOf: .minimum, .maximum)
    }
    settings.initialValue = initialValue(settings)
    (settings.digits, settings.precision) = places(settings)
    checkCombinations(settings)
    return settings
  }

  // MARK: Numbers

  private func page(_ settings: ControlSettings) -> FixedPoint {
    let step = settings.stepValue
    switch draft.page {
    case nil: break
    case .number(let number): return number
    case .tenth:
      guard let minimum = settings.minimumValue, let maximum = settings.maximumValue else { break }
      return step.times(step.count(from: minimum, to: maximum).dividedByTen)
    }
    return step.times(10)
  }

  private func initialValue(_ settings: ControlSettings) -> FixedPoint? {
    let own = options[.initial]
    switch draft.initial {
    case nil: break
    case .word("unset"):
      if settings.textRules.canBeUnset { return nil }
      // Only the control's own key is reported; one from the profile is ignored.
      own?.report("only a control with unset = true can be unset")
    case .word(let word):
      if let index = settings.words.firstIndex(where: word.isExactly) {
        return FixedPoint(units: Int64(index), digits: 0)
      }
      // The names of a choice are unknown until a control uses the profile.
      if let profile { report(word, asInitialOf: settings, profile) }
    case .number(let number):
      guard settings.feel.bounds == .enforced else { return number }
      if let own, let fault = settings.fault(of: number) {
        own.report(fault)
        break
      }
      let nearest = settings.nearest(to: number)
      return own == nil && settings.kind != .continuous ? nearest.rescaled(to: 0) : nearest
    }
    return settings.nearest(to: 0)
  }

  /// Reports an initial value that the control cannot have: at its key, or at the key `profile` if the profile sets it.
  private func report(_ word: String, asInitialOf settings: ControlSettings, _ profile: Profile) {
    // The values are unknown if no choice could be read.
    guard settings.kind != .choice || !settings.choices.isEmpty else { return }
    let words = settings.words
    let allowed = words.isEmpty ? "a number" : "one of \(list(words.lazy.map(quoted)))"
    let meant = { suggestion(for: word, among: words) }
    if let own = options[.initial] {
      return own.report("must be \(allowed), found \(quoted(word))", suggesting: meant)
    }
    let origin = ValuePath.root[RootKey.profile.rawValue][profile.origin(of: .initial) ?? profile.name]
    options.problems.report(
      "must be \(allowed) for \(options.path), found \(quoted(word))",
      at: origin[OptionKey.initial.rawValue], suggesting: meant)
  }

  /// The number of decimal places that are shown, and that are kept: as configured, or as many as the numbers need.
  private func places(_ settings: ControlSettings) -> (digits: Int, precision: Int) {
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
      options.report(
        "is \(kept), but the numbers of this control have \(Self.places(needed))", atFirstOf: .precision,
        .digits)
    } else if kept < shown {
      options.report(
        "keeps \(Self.places(kept)), but \(shown) are shown", atFirstOf: .precision, .digits)
    }
    let largest = numbers.compactMap { $0?.rescaled(to: kept).units.magnitude }.max() ?? 0
    if largest > FixedPoint.mostUnits {
      options.report(
        "the numbers have more than eighteen digits in all, with \(kept) of them behind the point")
    }
    return (shown, kept)
  }

  private static func places(_ count: Int) -> String { "\(count) decimal place\(count == 1 ? "" : "s")" }

  // MARK: What does not go together

  private func checkCombinations(_ settings: ControlSettings) {
    let (feel, isProfile) = (settings.feel, profile == nil)
    // A profile that does not set an end leaves it to the control.
    let hasMinimum = settings.minimumValue != nil || isProfile && options[.minimum] == nil
    let hasMaximum = settings.maximumValue != nil || isProfile && options[.maximum] == nil
    if feel.wraps, !(hasMinimum && hasMaximum) {
      options.report(
        "only a control with a minimum and a maximum can wrap", atFirstOf: .wraps, .minimum, .maximum)
    }
    if feel.partialStep == .grid {
      func report(_ message: String) {
        options.report(message, atFirstOf: .partialStep, .climbRate, .bounds, .minimum)
      }
      if !hasMinimum { report("\"grid\" needs a minimum, where it begins") }
      if feel.climb.rate > 0 { report("\"grid\" cannot be combined with a climb-rate, whose steps leave it") }
      if feel.bounds == .advisory {
        report("\"grid\" cannot be combined with bounds = \"advisory\", outside of which it has no values")
      }
    }
    if settings.textRules.isNumeric, settings.textRules.expressions != .none {
      options.report(
        "numeric = true refuses the operators of expressions", atFirstOf: .expressions, .numeric)
    }
  }
}

extension ControlSettings {
  /// Sets the range to the integers from 0 that are the values of a choice, a toggle or a button.
  fileprivate mutating func setRange(upTo maximum: Int64) {
    (minimumValue, maximumValue) = (0, FixedPoint(units: maximum, digits: 0))
    (stepValue, pageIncrement) = (1, 1)
  }
}

extension Int64 {
  /// A tenth, rounded and at least one.
  fileprivate var dividedByTen: Int64 { Swift.max(self / 10 + (self % 10 >= 5 ? 1 : 0), 1) }
}

extension Binding {
  /// The values that a button sets.
  fileprivate var numbers: [FixedPoint?] {
    guard case .push(let actions) = action else { return [] }
    return actions.all.flatMap { action -> [FixedPoint?] in
      switch action {
      case .toggle(let first, let second): [first, second]
      case .set(let number): [number]
      case .none, .reset, .pageMode, .step, .cycle: []
      }
    }
  }
}

extension FixedPoint {
  /// The product, saturated. The check of all numbers reports values that are too large.
  fileprivate func times(_ count: Int64) -> FixedPoint {
    FixedPoint(units: units.multipliedSaturating(by: count), digits: digits)
  }

  /// How many steps of this size there are between two numbers.
  fileprivate func count(from minimum: FixedPoint, to maximum: FixedPoint) -> Int64 {
    let places = [digits, minimum.digits, maximum.digits].max() ?? digits
    let (low, high) = (minimum.rescaled(to: places).units, maximum.rescaled(to: places).units)
    let (span, isTooLarge) = high.subtractingReportingOverflow(low)
    return (isTooLarge ? .max : span) / max(rescaled(to: places).units, 1)
  }
}
