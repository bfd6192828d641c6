internal import StepperClient

/// Controls and their states in words.
enum ControlText {
  /// In place of a value that is not known yet.
  static let unset = "unset"

  /// `50 %`, `on`, `unset`.
  static func value(_ state: ControlInterface.State, unit: String?) -> String {
    guard let text = state.text else { return unset }
    return unit.map { "\(text) \($0)" } ?? text
  }

  /// What else is to say about a state: where it stands, and whether anything can move it. The ends of a range
  /// of names say nothing. `description` may be unknown.
  static func notes(
    _ state: ControlInterface.State, _ description: ControlInterface.Description?
  ) -> [String] {
    let isNumber = description.map { $0.kind == .continuous } ?? true
    let limit: String? =
      switch isNumber ? state.limit : .none {
      case .minimum: "at minimum"
      case .maximum: "at maximum"
      case .both: "minimum is maximum"
      default: nil
      }
    return [limit, state.pressed ? "pressed" : nil, state.live ? nil : "no device"].compactMap { $0 }
  }

  /// `0…100`, `0…`, `on, off`.
  static func range(_ description: ControlInterface.Description, values: ValueText = .plain) -> String {
    switch description.kind {
    case .choice: return (description.choices ?? []).joined(separator: ", ") + wraps(description)
    case .toggle, .button: return "off, on"
    case .continuous: break
    }
    switch (description.minimum, description.maximum) {
    case (nil, nil): return "unbounded"
    case (let minimum, let maximum):
      let ends = [minimum, maximum].map { $0.map { values.number($0, of: description) } ?? "" }
      return ends.joined(separator: "…") + wraps(description)
    }
  }

  private static func wraps(_ description: ControlInterface.Description) -> String {
    description.wrap ? " wraps" : ""
  }

  /// The shortest decimal: `0.3`, `50`.
  static func number(_ value: Double) -> String {
    value == value.rounded() && value.magnitude < 1e15 ? String(Int64(value)) : String(value)
  }

  /// Writes `states` in columns, with the units that `client`'s daemon knows.
  static func write(
    _ states: [ControlInterface.State], client: StepperClient, values: ValueText = .plain
  ) {
    // Units and formats are an adornment: without them the values are still right.
    let descriptions = descriptions(of: (try? client.list()) ?? [])
    var table = Table()
    for state in states {
      let value = values.value(state, descriptions[state.control])
      table.add([state.control, value, notes(state, descriptions[state.control]).joined(separator: ", ")])
    }
    table.write()
  }

  /// What is known about `controls`, by name.
  static func descriptions(
    of controls: [ControlInterface.Control]
  ) -> [String: ControlInterface.Description] {
    Dictionary(
      controls.map { ($0.description.control, $0.description) }, uniquingKeysWith: { first, _ in first })
  }
}
