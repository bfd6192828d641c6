import StepperInterfaces
import Varlink

extension SmallDaemon {
  /// The control with the new range; a step of 0 is refused.
  static func adjusted(_ call: VarlinkCall) throws(VarlinkFailure) -> ControlInterface.Adjust.Reply {
    let parameters = try call.parameters(of: ControlInterface.Adjust.self)
    guard parameters.step != 0 else {
      throw VarlinkFailure(ControlInterface.InvalidRange(control: parameters.control, step: 0))
    }
    var control = try found(parameters.control)
    control.description.minimum = parameters.minimum ?? control.description.minimum
    control.description.maximum = parameters.maximum ?? control.description.maximum
    return .init(description: control.description, state: control.state)
  }

  /// Its title, value and unit, one after another.
  static func described(_ call: VarlinkCall) throws(VarlinkFailure) -> ControlInterface.Describe.Reply {
    let parameters = try call.parameters(of: ControlInterface.Describe.self)
    let control = try found(parameters.control)
    let description = control.description
    let translated = parameters.language.flatMap { description.titles?[String($0.prefix(2))] }
    let label = translated ?? description.title ?? description.control
    let value = "\(control.state.text ?? "") \(description.unit ?? "")"
    return .init(
      description: description, state: control.state,
      accessibility: .init(
        role: .slider, label: label, value: value, adjustable: true, announcement: .polite,
        speech: "\(label), \(value)"))
  }
}
