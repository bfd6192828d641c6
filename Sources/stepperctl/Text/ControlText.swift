internal import StepperClient

/// Controls and their states in words.
enum ControlText {
  /// `50 %`, `on`, `unset`.
  static func value(_ state: ControlInterface.State, unit: String?) -> String {
    guard let text = state.text else { return "unset" }
    return unit.map { "\(text) \($0)" } ?? text
  }

  /// What else is to say about a state: where it stands, and whether anything can move it.
  static func notes(_ state: ControlInterface.State) -> [String] {
    let limit: String? =
      switch state.limit {
      case .minimum: "at minimum"
      case .maximum: "at maximum"
      case .both: "minimum is maximum"
      default: nil
      }
    return [limit, state.pressed ? "pressed" : nil, state.live ? nil : "no device"].compactMap { $0 }
  }

  /// `0…100`, `0…`, `on, off`.
  static func range(_ description: ControlInterface.Description) -> String {
    if let choices = description.choices, !choices.isEmpty { return choices.joined(separator: ", ") }
    switch (description.minimum, description.maximum) {
    case (nil, nil): return description.kind == .continuous ? "unbounded" : ""
    case (let minimum, let maximum):
      return "\(minimum.map(number) ?? "")…\(maximum.map(number) ?? "")" + (description.wrap ? " wraps" : "")
    }
  }

  /// The shortest decimal: `0.3`, `50`.
  static func number(_ value: Double) -> String {
    value == value.rounded() && value.magnitude < 1e15 ? String(Int64(value)) : String(value)
  }

  /// Writes `states` in columns, with the units that `client`'s daemon knows.
  static func write(_ states: [ControlInterface.State], client: StepperClient) {
    // Units are an adornment: without them the values are still right.
    let controls = (try? client.list()) ?? []
    let units = Dictionary(
      controls.map { ($0.description.control, $0.description.unit) }, uniquingKeysWith: { first, _ in first })
    var table = Table()
    for state in states {
      let unit = units[state.control] ?? nil
      table.add([state.control, value(state, unit: unit), notes(state).joined(separator: ", ")])
    }
    table.write()
  }
}
