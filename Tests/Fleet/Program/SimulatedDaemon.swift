internal import StepperCore
internal import StepperInterfaces
internal import StepperMQTT

/// The values of a board as its daemon has them: the authority that everything else is compared with.
struct SimulatedDaemon {
  private enum Control: Int, CaseIterable {
    case volume, brightness, mute

    var name: String { "\(self)" }
    var maximum: Int { self == .mute ? 1 : 100 }
    func text(_ value: Int) -> String { self == .mute ? (value == 0 ? "off" : "on") : String(value) }
  }
  private struct Value {
    var value: Int
    var sequence: Int64
    var isEditing = false
  }

  let instance: String
  private var values: [Value]
  private var sequence = Int64(Control.allCases.count)

  init(instance: String) {
    self.instance = instance
    values = Control.allCases.map { Value(value: $0 == .mute ? 0 : 50, sequence: Int64($0.rawValue + 1)) }
  }

  static let controlCount = Control.allCases.count

  /// All boards share them.
  private static let descriptions = Control.allCases.map { control in
    ControlInterface.Description(
      control: control.name, kind: control == .mute ? .toggle : .continuous, profile: "uikit",
      title: control.name,
      unit: control == .mute ? nil : "%", minimum: 0, maximum: Double(control.maximum), step: 1, page: 10,
      digits: 0,
      format: .init(style: .decimal, grouping: false), wrap: false, writable: true)
  }

  var snapshot: ControlInterface.Subscribe.Reply {
    ControlInterface.Subscribe.Reply(
      snapshot: true, instance: instance, sequence: sequence, coalesced: 0,
      states: Control.allCases.map { state($0, .zero) }, descriptions: Self.descriptions)
  }

  /// One detent of a control; the gesture goes on until `isLast`.
  mutating func turn(_ index: Int, by detents: Int, isLast: Bool, at now: Instant)
    -> ControlInterface.Subscribe.Reply
  {
    let control = Control.allCases[index]
    var value = values[index].value + detents
    if control == .mute { value = values[index].value == 0 ? 1 : 0 }
    return change(control, to: value, isEditing: !isLast, at: now)
  }

  /// Whether the gesture can go on in this direction.
  func hasRoom(_ index: Int, for detents: Int) -> Bool {
    (0...Control.allCases[index].maximum).contains(values[index].value + detents)
  }

  /// What a call changes, and its result.
  mutating func apply(
    _ call: MQTTBridgeCall, at now: Instant
  ) -> (ControlInterface.Subscribe.Reply?, Result<ControlInterface.State, MQTTCallFailure>) {
    let (name, value): (String, (Value) -> Int?)
    switch call {
    case .set(let control, .number(let number), _): (name, value) = (control, { _ in Int(number) })
    case .set(let control, .text(let text), _):
      (name, value) = (control, { _ in text == "on" ? 1 : text == "off" ? 0 : Int(text) })
    case .step(let control, let steps, _): (name, value) = (control, { $0.value + Int(steps) })
    case .reset(let control): (name, value) = (control, { _ in 0 })
    }
    guard let control = Control.allCases.first(where: { $0.name == name }),
      let new = value(values[control.rawValue])
    else { return (nil, .failure(MQTTCallFailure(code: "invalidParameter", message: "no such value"))) }
    let reply = change(control, to: new, isEditing: values[control.rawValue].isEditing, at: now)
    return (reply, .success(state(control, now)))
  }

  private mutating func change(
    _ control: Control, to value: Int, isEditing: Bool, at now: Instant
  ) -> ControlInterface.Subscribe.Reply {
    sequence += 1
    values[control.rawValue] = Value(
      value: min(max(value, 0), control.maximum), sequence: sequence, isEditing: isEditing)
    return ControlInterface.Subscribe.Reply(
      snapshot: false, instance: instance, sequence: sequence, coalesced: 0, states: [state(control, now)])
  }

  private func state(_ control: Control, _ now: Instant) -> ControlInterface.State {
    let value = values[control.rawValue]
    return ControlInterface.State(
      control: control.name, value: Double(value.value), text: control.text(value.value),
      limit: value.value == 0 ? .minimum : value.value == control.maximum ? .maximum : .none, origin: .device,
      live: true, turned: 0, presses: 0, pressed: false, editing: value.isEditing,
      canIncrement: value.value < control.maximum, canDecrement: value.value > 0, sequence: value.sequence,
      monotonicMicroseconds: now.nanoseconds / 1_000)
  }

  /// `CONTROL VALUE SEQUENCE TEXT` of each control.
  var lines: [String] {
    Control.allCases.map { control in
      let value = values[control.rawValue]
      return "\(control.name) \(value.value) \(value.sequence) \(control.text(value.value))"
    }
  }
}

extension Instant {
  fileprivate static let zero = Instant(nanoseconds: 0)
}
