import StepperConfiguration
import StepperCore
import StepperWire

/// Controls in the words of the wire.
extension Controls {
  func wireState(_ state: ControlState) -> ControlInterface.State {
    ControlInterface.State(
      control: configuration(of: state.control).settings.name,
      value: state.value.doubleValue, text: state.value.description, limit: .init(state.limit),
      origin: .init(state.origin), live: state.isLive, turned: state.turned, presses: state.presses,
      pressed: state.isPressed, editing: false, canIncrement: true, canDecrement: true,
      sequence: state.sequence,
      monotonicMicroseconds: state.time.nanoseconds / 1_000)
  }

  func wireState(of id: ControlID) -> ControlInterface.State { wireState(state(of: id)) }

  func description(of id: ControlID, isWritable: Bool) -> ControlInterface.Description {
    let configuration = configuration(of: id)
    let settings = configuration.settings
    return ControlInterface.Description(
      control: settings.name, kind: .continuous, profile: "uikit", title: configuration.title,
      unit: configuration.unit,
      minimum: settings.minimumValue?.doubleValue, maximum: settings.maximumValue?.doubleValue,
      step: settings.stepValue.doubleValue, page: settings.pageIncrement.doubleValue,
      digits: settings.digits, wrap: settings.wraps, writable: isWritable,
      default: settings.initialValue.doubleValue)
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
