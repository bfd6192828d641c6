/// One control that an input of a device drives.
struct Route: Hashable, Sendable {
  /// Index of the control.
  var control: Int
  var action: Binding.Action
  var multiplier: Int64
  var modifier: EvdevUsage?
  var feedback: FeedbackEffect?

  init(_ binding: Binding, to control: Int) {
    self.control = control
    action = binding.action
    multiplier = max(binding.multiplier, 1)
    modifier = binding.modifier
    feedback = binding.feedback
  }
}

/// Where the events of one device go, which depends on the buttons that are held.
struct Routes: Hashable, Sendable {
  private var inputs = SortedTable<EvdevUsage, Input>()
  /// Buttons that modify other inputs while they are held.
  private var modifiers: Set<EvdevUsage> = []
  private var heldModifiers: Set<EvdevUsage> = []

  private struct Input: Hashable, Sendable {
    var routes: [Route] = []
    /// Of ``routes`` those in force with the held modifiers.
    var active: [Route] = []
  }

  /// Every input that drives a control, in order; a wheel by its coarse usage.
  var usages: [EvdevUsage] { inputs.keys }

  /// Everything that an input drives, whatever modifiers are held.
  func all(of usage: EvdevUsage) -> [Route] { inputs.place(of: usage).map { inputs.values[$0].routes } ?? [] }

  /// The present routes of an input: while a modifier is held, only those with this modifier.
  func active(of usage: EvdevUsage) -> [Route] {
    inputs.place(of: usage).map { inputs.values[$0].active } ?? []
  }

  /// The controls with an input that `button` gives another meaning while it is held.
  func controls(modifiedBy button: EvdevUsage) -> [Int] {
    guard modifiers.contains(button) else { return [] }
    return inputs.values.flatMap(\.routes).filter { $0.modifier == button }.map(\.control)
  }

  /// Takes the bindings of a configuration to a device; modifiers that remain in use stay held.
  mutating func reconfigure(_ configuration: EngineConfiguration, device: String) {
    inputs = SortedTable()
    for (index, control) in configuration.controls.enumerated() {
      for binding in control.bindings where binding.input.device == device {
        var input = inputs[binding.input.usage.coarse] ?? Input()
        input.routes.append(Route(binding, to: index))
        inputs[binding.input.usage.coarse] = input
      }
    }
    modifiers = Set(inputs.values.flatMap(\.routes).compactMap(\.modifier))
    hold(heldModifiers.intersection(modifiers))
  }

  /// A button went down or up, or was found to be.
  mutating func noteModifier(_ usage: EvdevUsage, isDown: Bool) {
    guard modifiers.contains(usage), heldModifiers.contains(usage) != isDown else { return }
    hold(isDown ? heldModifiers.union([usage]) : heldModifiers.subtracting([usage]))
  }

  /// Of all buttons exactly these are down.
  mutating func resynchronize(keysDown: Set<EvdevUsage>) { hold(modifiers.intersection(keysDown)) }

  private mutating func hold(_ modifiers: Set<EvdevUsage>) {
    heldModifiers = modifiers
    for place in inputs.values.indices {
      let routes = inputs.values[place].routes
      let modified = routes.filter { $0.modifier.map(modifiers.contains) ?? false }
      inputs.values[place].active = modified.isEmpty ? routes.filter { $0.modifier == nil } : modified
    }
  }
}
