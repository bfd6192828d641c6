import StepperConfiguration
import StepperCore
import StepperInterfaces

extension ControlInterface.Accessibility {
  /// The sentence of a screen reader about a control, in the phrases of the platform of its profile.
  ///
  /// UIKit: "Label, value, adjustable", and "Minimum value" or "Maximum value" at an end. AppKit: "Label, value,
  /// stepper", nothing at an end. NumberBox: a name with "Minimum0" and "Maximum10", for the bounds that exist. GTK:
  /// "Label, value, spin button". UISlider: "Label: 13 percent. Adjustable. Swipe …".
  init(
    _ description: ControlInterface.Description, _ state: ControlInterface.State,
    _ presentation: Presentation,
    language: String?
  ) {
    let languages = language.map { [$0] } ?? []
    let label = description.title(for: languages) ?? description.control
    let value = description.spokenValue(of: state, in: languages)
    let announcement: ControlInterface.Announcement = presentation.announcement == .polite ? .polite : .off
    func accessibility(
      _ role: ControlInterface.AccessibilityRole, adjustable: Bool = true, label: String = label,
      hint: String? = nil, limit: String? = nil, speech: String
    ) -> Self {
      Self(
        role: role, label: label, value: value, adjustable: adjustable, hint: hint, limit: limit,
        announcement: announcement, speech: speech, control: description.control,
        style: .init(rawValue: presentation.speech.rawValue))
    }
    func joined(_ parts: String?...) -> String { parts.compactMap(\.self).joined(separator: ", ") }
    let limit: String? =
      switch state.limit {
      case .minimum: "Minimum value"
      case .maximum: "Maximum value"
      case .none, .both: nil
      }
    switch (description.kind, presentation.speech) {
    case (.button, _):
      self = accessibility(.button, adjustable: false, speech: joined(label, "button"))
    case (.toggle, _):
      self = accessibility(.switch, adjustable: false, speech: joined(label, value, "switch"))
    case (.choice, _):
      self = accessibility(.picker, speech: joined(label, value, "adjustable"))
    case (.continuous, .uikit):
      self = accessibility(.stepper, limit: limit, speech: joined(label, value, "adjustable", limit))
    case (.continuous, .appkit):
      self = accessibility(.incrementor, speech: joined(label, value, "stepper"))
    case (.continuous, .gtk):
      self = accessibility(.spinner, speech: joined(label, value, "spin button"))
    case (.continuous, .winui):
      let name =
        label + (description.minimum.map { " Minimum\(decimal($0))" } ?? "")
        + (description.maximum.map { " Maximum\(decimal($0))" } ?? "")
      self = accessibility(.spinner, label: name, speech: joined(name, "spinner", value))
    case (.continuous, .slider):
      let hint = "Swipe up or down with one finger to adjust the value."
      let spoken = value.map { "\(label): \($0)." } ?? "\(label)."
      self = accessibility(.slider, hint: hint, limit: limit, speech: "\(spoken) Adjustable. \(hint)")
    }
  }
}

extension World {
  /// What a screen reader says of a control in `language`; nil: in the language of the configuration.
  func accessibility(of id: ControlID, language: String?) -> ControlInterface.Accessibility {
    .init(
      description(of: id, isWritable: false), wireState(of: id), configuration(of: id).presentation,
      language: language)
  }

  /// The sentence about a change: label, value, and the end of the range if the platform mentions it.
  func announcement(of state: ControlState) -> String {
    let accessibility = ControlInterface.Accessibility(
      description(of: state.control, isWritable: false), wireState(state),
      configuration(of: state.control).presentation, language: nil)
    return [accessibility.label, accessibility.value, accessibility.limit].compactMap(\.self).joined(
      separator: ", ")
  }
}

extension ControlInterface.Description {
  /// The text of the value with its unit, or the title of a choice; nil: unset.
  fileprivate func spokenValue(of state: ControlInterface.State, in languages: [String]) -> String? {
    guard let (value, unit) = shown(state, in: languages) else { return nil }
    // A unit that is "%" is spoken unchanged.
    let isPercent = kind == .continuous && format.style == .percent
    return (isPercent ? "percent" : unit).map { "\(value) \($0)" } ?? value
  }

  /// The value as people see it, or the title of a choice, and the unit; nil: the value is unset.
  func shown(_ state: ControlInterface.State, in languages: [String]) -> (value: String, unit: String?)? {
    guard let text = state.text else { return nil }
    if kind == .choice { return (choiceTitle(of: text, for: languages) ?? text, nil) }
    guard kind == .continuous, let number = format.shown(text)?.text else { return (text, nil) }
    switch format.style {
    case .decimal: return (number, unit)
    case .percent: return (number, "%")
    case .currency: return (number, format.currency)
    }
  }
}

/// The shortest decimal: `0.5`, `10`.
private func decimal(_ number: Double) -> String { PlainDecimal(number)?.text ?? "\(number)" }
