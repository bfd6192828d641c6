import StepperCore

// Which keys and options apply to each kind of control.

extension ControlDraft {
  /// Discards a profile's options that do not apply to this kind of control: options of numbers apply only to
  /// continuous controls, and only a press sets the value of a button.
  mutating func leaveOutNumbers() {
    if settings.kind == .button { (initial, settings.feel.resetAfter) = (nil, nil) }
    let canBeUnset = settings.kind != .button && settings.textRules.canBeUnset
    settings.textRules = TextRules()
    settings.textRules.canBeUnset = canBeUnset
    climbRate = 0
    settings.feel.significantDigits = nil
    settings.feel.bounds = .enforced
    (presentation.format, presentation.currency) = (.decimal, nil)
  }

  /// Reports keys that have no meaning for this kind of control.
  func checkKind(_ own: Section<ControlKey>, _ options: Section<OptionKey>) {
    let kind = settings.kind
    if kind == .choice, own[.choices] == nil {
      own.report("needs choices = [ … ], the names of its values")
    } else if kind != .choice {
      own[.choices]?.report("requires kind = \"choice\"", .key)
    }
    guard kind != .continuous else { return }
    let numeric: [OptionKey] = [
      .minimum, .maximum, .step, .page, .digits, .precision, .significantDigits, .rounding, .climbRate,
      .climbEvery, .climbAfter, .snapToTicks, .bounds, .commit, .updatePolicy, .numeric, .expressions,
      .divideByZero, .format, .currency, .grouping,
    ]
    for key in numeric { options[key]?.report("requires kind = \"continuous\"", .key) }
    guard kind == .button else { return }
    options.checkButton()
    let movers: [ControlKey] = [
      .increment, .decrement, .pageIncrement, .pageDecrement, .toMinimum, .toMaximum, .reset, .rotate,
      .absolute,
    ]
    for key in movers { own[key]?.report("a button is driven by \"push\" alone", .key) }
  }
}

extension Section<OptionKey> {
  /// Reports options that do not apply to a button, in its table or in the table of a profile for buttons.
  func checkButton() {
    for key in [OptionKey.initial, .resetAfter, .unset] {
      self[key]?.report("a button is on while it is pressed, and else off", .key)
    }
  }

  /// Reports a currency without a format that shows it. A currency that only the profile sets is ignored.
  func checkCurrency(_ presentation: Presentation) {
    guard presentation.format != .currency, presentation.currency != nil else { return }
    self[.currency]?.report("requires format = \"currency\"")
  }
}

extension ControlConfiguration {
  /// Reports keys of the presentation that exclude each other or need each other.
  func checkPresentation(_ own: Section<ControlKey>, _ options: Section<OptionKey>) {
    if presentation.format == .currency, presentation.currency == nil {
      options.report("needs currency = \"EUR\" or another code", atFirstOf: .format, .currency)
    }
    options.checkCurrency(presentation)
    if unit != nil, presentation.format != .decimal {
      own[.unit]?.report("\(quoted(presentation.format.rawValue)) has its own unit", .key)
    }
  }
}
