/// One control that an input of a device drives.
struct Route: Hashable, Sendable {
  /// Index of the control.
  var control: Int
  var action: Binding.Action
  var multiplier: Int64
  var modifier: EvdevUsage?
  var layer: Layer
  var feedback: FeedbackEffect?
  /// Whether the layer was live when it was last determined.
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

/// The routes of one device's events, which depend on the buttons that are held and on the values that decide layers.
struct Routes: Hashable, Sendable {
  private var inputs = SortedTable<EvdevUsage, Input>()
  /// Buttons that modify other inputs while they are held.
  private var modifiers: Set<EvdevUsage> = []
  private var heldModifiers: Set<EvdevUsage> = []
  /// All buttons that are down: another configuration may make them modifiers.
  private var keysDown: Set<EvdevUsage> = []
  /// Whether any route has a layer.
  private var hasLayers = false
  /// The ``ControlTable/layerGeneration`` for which the layers were last determined; nil: they were not.
  private var generation: UInt64?

  private struct Input: Hashable, Sendable {
    var routes: [Route] = []
    /// The ``routes`` in force with the held modifiers and the present layers.
    var active: [Route] = []
    /// The controls that decide the layers of ``routes``.
    var deciders: [Int] = []

    /// Determines ``active`` without allocating memory again.
    mutating func choose(_ modifiers: Set<EvdevUsage>) {
      let isModified = routes.contains { $0.isLive && $0.modifier.map(modifiers.contains) ?? false }
      active.removeAll(keepingCapacity: true)
      for route in routes where route.isLive {
        let isChosen = route.modifier.map(modifiers.contains) ?? !isModified
        if isChosen { active.append(route) }
      }
    }
  }

  /// Every input that drives a control, in order; a wheel is listed by its coarse usage.
  var usages: [EvdevUsage] { inputs.keys }

  /// All routes of an input, whatever modifiers are held and layers are live.
  func all(of usage: EvdevUsage) -> [Route] { inputs.place(of: usage).map { inputs.values[$0].routes } ?? [] }

  /// The present routes of an input: only those of live layers, and while a modifier is held, only those with this
  /// modifier.
  func active(of usage: EvdevUsage) -> [Route] {
    inputs.place(of: usage).map { inputs.values[$0].active } ?? []
  }

  /// The controls with an input whose meaning `button` changes while it is held.
  func controls(modifiedBy button: EvdevUsage) -> [Int] {
    guard modifiers.contains(button) else { return [] }
    return inputs.values.flatMap { $0.routes }.filter { $0.modifier == button }.map { $0.control }
  }

  /// The controls that decide the layers of an input.
  func deciders(of usage: EvdevUsage) -> [Int] {
    hasLayers ? inputs.place(of: usage).map { inputs.values[$0].deciders } ?? [] : []
  }

  /// Takes the bindings to a device from a configuration. Buttons that are down become held modifiers if they are
  /// modifiers now.
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
    holdModifiers()
  }

  // MARK: Layers

  /// Whether the layers must be determined again.
  func isOutdated(_ generation: UInt64) -> Bool { hasLayers && self.generation != generation }

  /// Determines which layers are live; `value` gives the value of a control. Calls `changed` for each input whose
  /// active routes change.
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

  /// A button went down or up, or was found down or up.
  mutating func noteKey(_ usage: EvdevUsage, isDown: Bool) {
    if isDown { keysDown.insert(usage) } else { keysDown.remove(usage) }
    if modifiers.contains(usage) { holdModifiers() }
  }

  /// Sets exactly which buttons are down.
  mutating func resynchronize(keysDown: Set<EvdevUsage>) {
    self.keysDown = keysDown
    holdModifiers()
  }

  private mutating func holdModifiers() {
    heldModifiers = modifiers.intersection(keysDown)
    for place in inputs.values.indices { inputs.values[place].choose(heldModifiers) }
  }
}
