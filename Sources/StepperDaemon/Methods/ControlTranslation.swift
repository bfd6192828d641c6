import StepperConfiguration
import StepperCore
import StepperInterfaces

/// Controls in the words of the wire.
extension Controls {
  func wireState(_ state: ControlState) -> ControlInterface.State {
    let settings = adjustedSettings(of: state.control)
    return ControlInterface.State(
      control: settings.name, value: state.value?.doubleValue, text: state.value.map(settings.text),
      limit: .init(state.limit), origin: .init(state.origin), live: state.isLive, turned: state.turned,
      presses: state.presses, pressed: state.isPressed, editing: state.isEditing,
      canIncrement: state.canIncrement, canDecrement: state.canDecrement, sequence: state.sequence,
      monotonicMicroseconds: state.time.nanoseconds / 1_000)
  }

  func wireState(of id: ControlID) -> ControlInterface.State { wireState(state(of: id)) }

  func description(of id: ControlID, isWritable: Bool) -> ControlInterface.Description {
    let configuration = configuration(of: id)
    // What was adjusted while running is not in the configuration.
    let settings = adjustedSettings(of: id)
    let presentation = configuration.presentation
    return ControlInterface.Description(
      control: settings.name, kind: .init(settings.kind), profile: configuration.profile,
      title: configuration.title, titles: configuration.titles.isEmpty ? nil : configuration.titles,
      unit: configuration.unit, minimum: settings.minimumValue?.doubleValue,
      maximum: settings.maximumValue?.doubleValue, step: settings.stepValue.doubleValue,
      page: settings.pageIncrement.doubleValue, digits: settings.digits,
      format: ControlInterface.NumberFormat(
        style: .init(presentation.format), currency: presentation.currency,
        significantDigits: settings.feel.significantDigits, grouping: presentation.groups),
      choices: settings.kind == .choice ? settings.choices : nil, wrap: settings.feel.wraps,
      writable: isWritable, default: settings.initialValue?.doubleValue,
      expressions: settings.kind == .continuous && settings.textRules.expressions != .none ? true : nil)
  }
}

extension ControlInterface.Kind {
  init(_ kind: ControlKind) {
    switch kind {
    case .continuous: self = .continuous
    case .choice: self = .choice
    case .toggle: self = .toggle
    case .button: self = .button
    }
  }
}

extension ControlInterface.NumberStyle {
  init(_ format: Presentation.Format) {
    switch format {
    case .decimal: self = .decimal
    case .percent: self = .percent
    case .currency: self = .currency
    }
  }
}

extension ControlInterface.Limit {
  init(_ limit: Limit) {
    switch limit {
    case .none: self = .none
    case .minimum: self = .minimum
    case .maximum: self = .maximum
    case .both: self = .both
    }
  }
}

extension ControlInterface.Origin {
  init(_ origin: Origin) {
    switch origin {
    case .startup: self = .startup
    case .restored: self = .restored
    case .device: self = .device
    case .client: self = .client
    case .configuration: self = .configuration
    }
  }
}
