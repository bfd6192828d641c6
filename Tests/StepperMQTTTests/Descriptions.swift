import StepperInterfaces
@testable import StepperMQTT

extension ControlInterface.Description {
  static func example(
    _ control: String = "volume", _ kind: ControlInterface.Kind = .continuous, minimum: Double? = 0,
    maximum: Double? = 100, step: Double? = 1, choices: [String]? = nil, writable: Bool = true,
    unit: String? = nil, title: String? = nil, default: Double? = nil
  ) -> Self {
    Self(
      control: control, kind: kind, profile: "uikit", title: title, unit: unit, minimum: minimum,
      maximum: maximum, step: step, page: 10, digits: 0, format: .init(style: .decimal, grouping: false),
      choices: choices, wrap: false, writable: writable, default: `default`)
  }
}

extension ControlInterface.State {
  static func example(
    _ control: String = "volume", _ value: Double? = 50, sequence: Int64 = 1, editing: Bool = false
  ) -> Self {
    Self(
      control: control, value: value, text: value.map { String(Int64($0)) }, limit: .none, origin: .device,
      live: true, turned: 0, presses: 0, pressed: false, editing: editing, canIncrement: true,
      canDecrement: true, sequence: sequence, monotonicMicroseconds: sequence * 1_000)
  }
}

extension ControlInterface.Subscribe.Reply {
  static func snapshot(
    _ controls: [(ControlInterface.Description, ControlInterface.State)], instance: String = "one"
  ) -> Self {
    Self(
      snapshot: true, instance: instance, sequence: controls.map(\.1.sequence).max() ?? 0, coalesced: 0,
      states: controls.map(\.1), descriptions: controls.map(\.0))
  }

  static func change(_ states: ControlInterface.State..., instance: String = "one") -> Self {
    Self(
      snapshot: false, instance: instance, sequence: states.map(\.sequence).max() ?? 0, coalesced: 0,
      states: states)
  }

  /// The control volume at 50.
  static var volume: Self { snapshot([(.example(), .example())]) }
}
