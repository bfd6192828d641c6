/// A connected device: its settings, the routes of its events, and the state of its axes.
struct ConnectedDevice: Hashable, Sendable {
  // ConnectedDevice+Explanation reads some of these properties, to explain the effect of an event.
  let id: DeviceNumber
  private let capabilities: DeviceCapabilities
  private(set) var settings: DeviceSettings
  private(set) var routes = Routes()
  /// In the order of their codes.
  private(set) var relativeAxes: [RelativeAxis] = []
  private(set) var faderAxes: [EvdevUsage: FaderAxis] = [:]
  /// The last reported positions of the absolute axes, by code.
  private var reports: [UInt16: Int32]

  init(_ id: DeviceNumber, _ capabilities: DeviceCapabilities, in configuration: EngineConfiguration) {
    self.id = id
    self.capabilities = capabilities
    reports = capabilities.axisPositions
    settings = DeviceSettings(name: capabilities.settingsName)
    reconfigure(configuration)
    routes.resynchronize(keysDown: capabilities.keysDown)
  }

  // MARK: Configuration

  /// Applies a configuration. Axes that remain in use keep their state.
  mutating func reconfigure(_ configuration: EngineConfiguration) {
    let name = capabilities.settingsName
    settings = configuration.devices.first { $0.name == name } ?? DeviceSettings(name: name)
    routes.reconfigure(configuration, device: name)
    relativeAxes = routes.usages.filter { $0.isRelative }.map { usage in
      relativeAxes.first { $0.usage == usage } ?? RelativeAxis(usage, of: capabilities)
    }
    faderAxes = [:]
    for usage in routes.usages where usage.isAbsolute {
      faderAxes[usage] = FaderAxis(
        capabilities.axisRanges[usage.code], settings.axes[usage.code] ?? AxisSettings(),
        deviceIsInverted: settings.isInverted)
    }
  }

  /// The controls that the device drives with usages that it really has.
  var drivenControls: Set<Int> {
    Set(routes.usages.filter(capabilities.has).flatMap(routes.all).map { $0.control })
  }

  /// The layer of the live binding of an input to a control, with this `action` unless that is nil; nil: there is no
  /// such binding. `value` gives the value of a control.
  func layer(
    of control: Int, _ usage: EvdevUsage, _ action: Binding.Action?, _ value: (Int) -> FixedPoint?
  ) -> Layer? {
    routes.all(of: usage).first {
      $0.control == control && (action == nil || $0.action == action) && $0.layer.isLive(value)
    }?.layer
  }

  // MARK: Modifiers

  /// Marks all buttons as up.
  mutating func releaseModifiers() { routes.resynchronize(keysDown: []) }

  /// Sets which buttons are down, and restarts the relative axes.
  mutating func resynchronize(keysDown: Set<EvdevUsage>) {
    relativeAxes = relativeAxes.map { RelativeAxis($0.usage, of: capabilities) }
    routes.resynchronize(keysDown: keysDown)
  }

  // MARK: Frames

  /// Lets the events of a frame act on the `controls`. Returns whether a fader was moved by more than noise.
  @discardableResult
  mutating func read(_ events: EvdevEvents, at now: Instant, on controls: inout ControlTable) -> Bool {
    var isSlide = false
    // Relative axes are read once per frame, at the last relative event.
    let turn = events.lastIndex { $0.usage.isRelative }
    for place in events.indices {
      let event = events[place]
      let source = InputSource(device: id, usage: event.usage)
      if event.usage.isRelative {
        if place == turn { self.turn(events, at: now, on: &controls) }
      } else if event.usage.isAbsolute {
        isSlide = slide(source, report: event.value, at: now, on: &controls) || isSlide
      } else if event.usage.isKey, event.value < 2 {
        routes.noteKey(event.usage, isDown: event.value == 1)
        if event.value == 1 {
          press(source, at: now, on: &controls)
        } else {
          release(source, at: now, on: &controls)
        }
      }
      // The kernel's own autorepeat (value 2) means "still held".
      controls.applyLayers()
    }
    return isSlide
  }

  private mutating func turn(_ events: EvdevEvents, at now: Instant, on controls: inout ControlTable) {
    determineLayers(controls)
    for axis in relativeAxes.indices {
      guard let turn = relativeAxes[axis].read(events, settings: settings, at: now) else { continue }
      let usage = relativeAxes[axis].usage
      for control in routes.deciders(of: usage) where controls.controls[control].hasPush(of: id) {
        controls.touch(control) { $0.turnInLayer() }
      }
      controls.applyLayers()
      determineLayers(controls)
      for route in routes.active(of: usage) {
        if let modifier = route.modifier { use(modifier, on: &controls) }
        controls.touch(route.control) {
          $0.turn(
            turn, by: .device(id), times: route.multiplier, feedback: route.feedback, at: now)
        }
      }
      controls.applyLayers()
    }
  }

  /// Updates the routes for the values that decide their layers. The counts that an axis has collected for another
  /// layer are discarded.
  private mutating func determineLayers(_ controls: borrowing ControlTable) {
    guard routes.isOutdated(controls.layerGeneration) else { return }
    var axes: [EvdevUsage] = []
    routes.determineLayers(controls.layerGeneration, { controls.controls[$0].value }) { axes.append($0) }
    for axis in relativeAxes.indices where axes.contains(relativeAxes[axis].usage) {
      relativeAxes[axis].rest()
    }
  }

  private mutating func slide(
    _ source: InputSource, report: Int32, at now: Instant, on controls: inout ControlTable
  ) -> Bool {
    reports[source.usage.code] = report
    guard let position = faderAxes[source.usage]?.read(report) else { return false }
    var isMoved = false
    determineLayers(controls)
    for route in routes.active(of: source.usage) {
      isMoved =
        controls.touch(route.control) { $0.slide(source, to: position, feedback: route.feedback, at: now) }
        || isMoved
    }
    // Controls that the fader does not move at present must record its position too.
    for route in routes.all(of: source.usage) {
      controls.touch(route.control) { $0.place(source, at: position) }
    }
    return isMoved
  }

  /// Records the present positions of the faders without moving a value. Noise is measured from there.
  mutating func placeFaders(on controls: inout ControlTable) {
    for usage in faderAxes.keys {
      guard let report = reports[usage.code], let position = faderAxes[usage]?.read(report) else { continue }
      let source = InputSource(device: id, usage: usage)
      for route in routes.all(of: usage) { controls.touch(route.control) { $0.place(source, at: position) } }
    }
  }

  private mutating func press(_ source: InputSource, at now: Instant, on controls: inout ControlTable) {
    for control in routes.deciders(of: source.usage) where controls.controls[control].hasPush(of: id) {
      controls.touch(control) { $0.pressInLayer(source) }
    }
    controls.applyLayers()
    determineLayers(controls)
    for route in routes.active(of: source.usage) {
      if let modifier = route.modifier { use(modifier, on: &controls) }
      controls.touch(route.control) { $0.press(source, route, at: now) }
    }
  }

  /// Releases the button on every control that it may hold, even if its modifier went up first.
  private func release(_ source: InputSource, at now: Instant, on controls: inout ControlTable) {
    for route in routes.all(of: source.usage) {
      controls.touch(route.control) { $0.release(source, at: now) }
    }
  }

  /// A modifier button that was used for another input does not count as a press of its own.
  private func use(_ modifier: EvdevUsage, on controls: inout ControlTable) {
    let source = InputSource(device: id, usage: modifier)
    for route in routes.all(of: modifier) { controls.touch(route.control) { $0.modify(with: source) } }
  }
}

extension DeviceCapabilities {
  /// Whether the device reports a usage, perhaps only in high resolution.
  package func has(_ usage: EvdevUsage) -> Bool {
    usages.contains(usage) || usage.highResolution.map(usages.contains) ?? false
  }
}
