internal import StepperClient

/// Controls and their states as text.
enum ControlText {
  /// The text of a value that is unset.
  static let unset = "unset"

  /// Notes on a state: that the value is at an end of the range, that a button is pressed, that no device for its
  /// inputs is present. Choices and toggles have no notes about ends. `description` may be unknown.
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
    let needsDevice = description?.hasInputs ?? true
    return [
      limit, state.pressed ? "pressed" : nil, state.live || !needsDevice ? nil : "no device",
    ].compactMap { $0 }
  }

  /// `0…100`, `0…`, `on, off`.
  static func range(_ description: ControlInterface.Description, values: ValueText = .plain) -> String {
    switch description.kind {
    case .choice:
      let names = description.choices ?? []
      return names.map { values.choice($0, of: description) ?? $0 }.joined(separator: ", ")
        + wraps(description)
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

  /// Writes states in columns, with units from their descriptions; reads missing descriptions from the daemon.
  static func write(
    _ controls: [(ControlInterface.State, ControlInterface.Description?)], client: StepperClient,
    values: ValueText = .plain
  ) {
    guard !controls.isEmpty else { return }
    let isMissing = controls.contains { $0.1 == nil }
    // If descriptions cannot be read, values are shown without units and formats.
    let listed = isMissing ? descriptions(of: (try? client.list()) ?? []) : [:]
    var table = Table()
    for (state, description) in controls {
      let description = description ?? listed[state.control]
      table.add([
        state.control, values.value(state, description), notes(state, description).joined(separator: ", "),
      ])
    }
    table.write()
  }

  /// The descriptions of `controls` by name.
  static func descriptions(
    of controls: [ControlInterface.Control]
  ) -> [String: ControlInterface.Description] {
    Dictionary(
      controls.map { ($0.description.control, $0.description) }, uniquingKeysWith: { first, _ in first })
  }
}
