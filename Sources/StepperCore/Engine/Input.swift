/// An event or a request that is passed to the engine. Inputs are facts; a list of them with their instants is a
/// recording.
package enum Input: Hashable, Sendable {
  /// A device that matches a `[device.NAME]` can be read from now on.
  case deviceAdded(DeviceNumber, DeviceCapabilities)
  /// The device was disconnected, or can no longer be read: its holds are released.
  case deviceRemoved(DeviceNumber)
  /// The events of one frame, without `SYN_REPORT`.
  case frame(DeviceNumber, EvdevEvents)
  /// The kernel dropped events (`SYN_DROPPED`). `events` are the differences from the state before; `keysDown` are
  /// all keys that are really down (`EVIOCGKEY`).
  case resynchronized(DeviceNumber, EvdevEvents, keysDown: Set<EvdevUsage>)

  /// A client sets a value.
  case set(ControlID, SetRequest)
  /// A client makes this many steps, without acceleration.
  case step(ControlID, Int64, StepUnit)
  /// A client resets a control to its initial value.
  case reset(ControlID)
  /// A client presses a button that is bound to the control alone. A button that the client already holds stays down.
  case press(ControlID, HoldNumber, PressAction)
  /// A client releases its button or its fader; does nothing if the client does not hold it.
  case release(ControlID, HoldNumber)
  /// A client turns a knob by this many detents, clockwise positive.
  case turn(ControlID, detents: Int64)
  /// A client moves a fader to a position in the travel 0…``faderTravel``, and holds it until its release.
  case slide(ControlID, HoldNumber, position: Int64)

  /// A client changes the range or the steps.
  case adjust(ControlID, Adjustment)

  /// The value a control had before the daemon was restarted; nil: it was unset.
  case restored(ControlID, FixedPoint?)
  /// A new configuration. Values of controls whose names remain are kept as far as their new ranges allow.
  case configured(EngineConfiguration)
  /// Everything that is held is released: the machine slept, or the daemon is stopping.
  case everythingReleased
  /// Time that does not count for what is held: the daemon was stalled, or cannot repeat as often as configured.
  case timeSkipped(by: Duration)

  /// The travel of a client's fader.
  package static let faderTravel: Int64 = 1_000_000
}

/// A value that a client sets.
package struct SetRequest: Hashable, Sendable {
  /// nil: unset.
  package var value: FixedPoint?
  /// Whether a value outside the range is clamped rather than refused.
  package var clamps: Bool
  /// The request is refused if the control has changed since this sequence number.
  package var ifSequence: Int64?
  /// Whether the value was entered as text, which is a commit: it may snap.
  package var isText: Bool

  package init(_ value: FixedPoint?, clamps: Bool = false, ifSequence: Int64? = nil, isText: Bool = false) {
    self.value = value
    self.clamps = clamps
    self.ifSequence = ifSequence
    self.isText = isText
  }
}

/// A change of the range or the steps, as by GtkAdjustment's setters; nil: unchanged.
package struct Adjustment: Hashable, Sendable {
  package var minimumValue: FixedPoint?
  package var maximumValue: FixedPoint?
  package var stepValue: FixedPoint?
  package var pageIncrement: FixedPoint?

  package init(
    minimumValue: FixedPoint? = nil, maximumValue: FixedPoint? = nil, stepValue: FixedPoint? = nil,
    pageIncrement: FixedPoint? = nil
  ) {
    self.minimumValue = minimumValue
    self.maximumValue = maximumValue
    self.stepValue = stepValue
    self.pageIncrement = pageIncrement
  }
}

/// A device that is connected now; the daemon numbers them.
package struct DeviceNumber: Hashable, Sendable {
  package var rawValue: Int

  package init(_ rawValue: Int) { self.rawValue = rawValue }
}

/// A control of one configuration.
///
/// The identifier is valid only for that configuration: from the next ``Input/configured(_:)`` on, the engine refuses
/// it and finds nothing by it. ``Engine/ids`` and ``Engine/control(named:)`` give the identifiers of the
/// configuration in force.
package struct ControlID: Hashable, Sendable {
  /// The place of the control in its configuration.
  package let index: Int
  /// How many configurations the engine was given before that of the control.
  package let generation: UInt64

  /// For recordings, which know how often the engine was configured.
  package init(_ index: Int, generation: UInt64) {
    self.index = index
    self.generation = generation
  }
}

extension DeviceNumber: Comparable {
  package static func < (left: DeviceNumber, right: DeviceNumber) -> Bool { left.rawValue < right.rawValue }
}

extension ControlID: Comparable {
  /// In the order of the configurations, and of the controls in each.
  package static func < (left: ControlID, right: ControlID) -> Bool {
    (left.generation, left.index) < (right.generation, right.index)
  }
}

/// The properties of a device that the engine needs to interpret its events.
package struct DeviceCapabilities: Hashable, Sendable {
  /// The name of the `[device.NAME]` that matched the device.
  package var settingsName: String
  /// Every key and axis of the device.
  package var usages: Set<EvdevUsage>
  /// The travel of the absolute axes, by code.
  package var axisRanges: [UInt16: ClosedRange<Int32>]
  /// Counts per detent of the relative axes, by code, where it is not one; wheels have no entry.
  package var countsPerDetent: [UInt16: Int] = [:]
  /// Positions of the absolute axes, as far as known, when the device was connected.
  package var axisPositions: [UInt16: Int32] = [:]
  /// The keys that were down when the device was connected. They are not pressed by that, but modify other inputs.
  package var keysDown: Set<EvdevUsage> = []

  package init(
    settingsName: String, usages: Set<EvdevUsage> = [], axisRanges: [UInt16: ClosedRange<Int32>] = [:]
  ) {
    self.settingsName = settingsName
    self.usages = usages
    self.axisRanges = axisRanges
  }

  /// The capabilities of a virtual device. Its fader starts at the lower end.
  package static func virtual(settingsName: String) -> DeviceCapabilities {
    var capabilities = DeviceCapabilities(
      settingsName: settingsName, usages: Set(VirtualInput.allCases.map { $0.usage }),
      axisRanges: [VirtualInput.fader.usage.code: VirtualInput.faderRange])
    capabilities.axisPositions[VirtualInput.fader.usage.code] = VirtualInput.faderRange.lowerBound
    return capabilities
  }
}

/// The part of a configuration that the engine uses.
package struct EngineConfiguration: Hashable, Sendable {
  package let controls: [ControlSettings]
  package let devices: [DeviceSettings]
  /// The whole board becomes idle when no input was touched and no client changed a value for this long; nil: never.
  package let idleAfter: Duration?
  /// The places of the bindings to the inputs of each device, by device name and in order. Saves a search, as there
  /// may be many devices and bindings.
  let bindingPlaces: [String: [BindingPlace]]
  /// The places of the controls, by name.
  let controlPlaces: [String: Int]

  struct BindingPlace: Hashable, Sendable {
    var control: Int
    var binding: Int
  }

  package init(controls: [ControlSettings], devices: [DeviceSettings], idleAfter: Duration? = nil) {
    self.controls = controls
    self.devices = devices
    self.idleAfter = idleAfter
    controlPlaces = controls.placesByName
    var places: [String: [BindingPlace]] = [:]
    for control in controls.indices {
      for (binding, input) in controls[control].bindings.lazy.map({ $0.input }).enumerated() {
        places[input.device, default: []].append(BindingPlace(control: control, binding: binding))
      }
    }
    bindingPlaces = places
  }
}
