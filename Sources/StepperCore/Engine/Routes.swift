/// One control that an input of a device drives.
struct Route: Hashable, Sendable {
  /// Index of the control.
  var control: Int
  var action: Binding.Action
  var multiplier: Int64
  var modifier: EvdevUsage?
  var layer: Layer
  var feedback: FeedbackEffect?
  /// Whether its layer was live when that was determined last.
  fileprivate(set) var isLive: Bool

  init(_ binding: Binding, to control: Int, _ layer: Layer) {
    self.control = control
    self.layer = layer
    action = binding.action
    multiplier = max(binding.multiplier, 1)
    modifier = binding.modifier
    feedback = binding.feedback
    isLive = layer.isAlways
  }
}

/// Where the events of one device go, which depends on the buttons that are held and on the values that decide layers.
struct Routes: Hashable, Sendable {
  private var inputs = SortedTable<EvdevUsage, Input>()
  /// Buttons that modify other inputs while they are held.
  private var modifiers: Set<EvdevUsage> = []
  private var heldModifiers: Set<EvdevUsage> = []
  /// Whether any route has a layer.
  private var hasLayers = false
  /// The ``ControlTable/layerGeneration`` for which the layers were determined; nil: for none.
  private var generation: UInt64?

  private struct Input: Hashable, Sendable {
    var routes: [Route] = []
    /// Of ``routes`` those in force with the held modifiers and the present layers.
    var active: [Route] = []
    /// The controls that decide the layers of ``routes``.
    var deciders: [Int] = []

    /// Determines ``active``, in the memory that it had.
    mutating func choose(_ modifiers: Set<EvdevUsage>) {
      let isModified = routes.contains { $0.isLive && $0.modifier.map(modifiers.contains) ?? false }
      active.removeAll(keepingCapacity: true)
      for route in routes where route.isLive {
        let isChosen = route.modifier.map(modifiers.contains) ?? !isModified
        if isChosen { active.append(route) }
      }
    }
  }

  /// Every input that drives a control, in order; a wheel by its coarse usage.
  var usages: [EvdevUsage] { inputs.keys }

  /// Everything that an input drives, whatever modifiers are held and layers are live.
  func all(of usage: EvdevUsage) -> [Route] { inputs.place(of: usage).map { inputs.values[$0].routes } ?? [] }

  /// The present routes of an input: those of live layers, and while a modifier is held, only those with this
  /// modifier.
  func active(of usage: EvdevUsage) -> [Route] {
    inputs.place(of: usage).map { inputs.values[$0].active } ?? []
  }

  /// The controls with an input that `button` gives another meaning while it is held.
  func controls(modifiedBy button: EvdevUsage) -> [Int] {
    guard modifiers.contains(button) else { return [] }
    return inputs.values.flatMap { $0.routes }.filter { $0.modifier == button }.map { $0.control }
  }

  /// The controls that decide the layers of an input.
  func deciders(of usage: EvdevUsage) -> [Int] {
    hasLayers ? inputs.place(of: usage).map { inputs.values[$0].deciders } ?? [] : []
  }

  /// Takes the bindings of a configuration to a device; modifiers that remain in use stay held.
  mutating func reconfigure(_ configuration: EngineConfiguration, device: String) {
    inputs = SortedTable()
    (hasLayers, generation) = (false, nil)
    for place in configuration.bindingPlaces[device] ?? [] {
      let binding = configuration.controls[place.control].bindings[place.binding]
      let usage = binding.input.usage.coarse
      if inputs.place(of: usage) == nil { inputs[usage] = Input() }
      guard let input = inputs.place(of: usage) else { continue }
      let layer = Layer(binding.layer) { configuration.controlPlaces[$0] }
      inputs.values[input].routes.append(Route(binding, to: place.control, layer))
      for decider in layer.deciders where !inputs.values[input].deciders.contains(decider) {
        inputs.values[input].deciders.append(decider)
      }
      if !layer.isAlways { hasLayers = true }
    }
    modifiers = Set(inputs.values.flatMap { $0.routes }.compactMap { $0.modifier })
    hold(heldModifiers.intersection(modifiers))
  }

  // MARK: Layers

  /// Whether the layers must be determined again.
  func isOutdated(_ generation: UInt64) -> Bool { hasLayers && self.generation != generation }

  /// Determines which layers are live; `value` gives the value of a control. Calls `changed` for each input whose active
  /// routes are others from now on.
  mutating func determineLayers(
    _ generation: UInt64, _ value: (Int) -> FixedPoint?, changed: (EvdevUsage) -> Void
  ) {
    self.generation = generation
    for place in inputs.values.indices where !inputs.values[place].deciders.isEmpty {
      var isChanged = false
      for index in inputs.values[place].routes.indices {
        let isLive = inputs.values[place].routes[index].layer.isLive(value)
        guard inputs.values[place].routes[index].isLive != isLive else { continue }
        inputs.values[place].routes[index].isLive = isLive
        isChanged = true
      }
      guard isChanged else { continue }
      inputs.values[place].choose(heldModifiers)
      changed(inputs.keys[place])
    }
  }

  // MARK: Modifiers

  /// A button went down or up, or was found to be.
  mutating func noteModifier(_ usage: EvdevUsage, isDown: Bool) {
    guard modifiers.contains(usage), heldModifiers.contains(usage) != isDown else { return }
    hold(isDown ? heldModifiers.union([usage]) : heldModifiers.subtracting([usage]))
  }

  /// Of all buttons exactly these are down.
  mutating func resynchronize(keysDown: Set<EvdevUsage>) { hold(modifiers.intersection(keysDown)) }

  private mutating func hold(_ modifiers: Set<EvdevUsage>) {
    heldModifiers = modifiers
    for place in inputs.values.indices { inputs.values[place].choose(modifiers) }
  }
}
