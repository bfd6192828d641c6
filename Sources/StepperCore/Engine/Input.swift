/// Something that happened to the engine. Inputs are facts; a list of them with their instants is a recording.
package enum Input: Hashable, Sendable {
  /// A device that a `[device.NAME]` matched can be read from now on.
  case deviceAdded(DeviceNumber, DeviceCapabilities)
  /// It was disconnected, or can no longer be read: its holds are released.
  case deviceRemoved(DeviceNumber)
  /// The events of one frame, without `SYN_REPORT`.
  case frame(DeviceNumber, EvdevEvents)
  /// The kernel dropped events (`SYN_DROPPED`). `events` is what differs now from before; `keysDown` are all
  /// keys that are really down (`EVIOCGKEY`).
  case resynchronized(DeviceNumber, EvdevEvents, keysDown: Set<EvdevUsage>)

  /// A client sets a value.
  case set(ControlID, SetRequest)
  /// A client steps so many times, without acceleration.
  case step(ControlID, Int64, StepUnit)
  /// A client resets a control to its initial value.
  case reset(ControlID)
  /// A client presses a button that is bound to the control alone. A button that it holds already stays down.
  case press(ControlID, HoldNumber, PressAction)
  /// A client releases its button or its fader; nothing happens if it holds none.
  case release(ControlID, HoldNumber)
  /// A client turns a knob by so many detents, clockwise positive.
  case turn(ControlID, detents: Int64)
  /// A client moves a fader that it holds until its release, to a position in the travel 0…``faderTravel``.
  case slide(ControlID, HoldNumber, position: Int64)

  /// A client changes the range or the steps.
  case adjust(ControlID, Adjustment)

  /// The value a control had before the daemon was restarted; nil: it was unset.
  case restored(ControlID, FixedPoint?)
  /// A new configuration. Values of controls whose names remain are kept as far as their new ranges allow.
  case configured(EngineConfiguration)
  /// Everything that is held is released: the machine slept, or the daemon stops.
  case everythingReleased
  /// No input could be read for this long. What is held does not repeat for that time.
  case timeSkipped(by: Duration)

  /// The travel of a client's fader.
  package static let faderTravel: Int64 = 1_000_000
}

/// A value that a client sets.
package struct SetRequest: Hashable, Sendable {
  /// nil: unset.
  package var value: FixedPoint?
  /// Outside the range it is clamped rather than refused.
  package var clamps: Bool
  /// Refused if the control has changed since this sequence number.
  package var ifSequence: Int64?
  /// Whether it was entered as text, which is a commit: it may snap.
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

/// One device that is connected now; the daemon numbers them.
package struct DeviceNumber: Hashable, Sendable {
  package var rawValue: Int

  package init(_ rawValue: Int) { self.rawValue = rawValue }
}

/// A control of one configuration.
///
/// It does not outlive that configuration: from the next ``Input/configured(_:)`` on the engine refuses it and finds
/// nothing by it. ``Engine/ids`` and ``Engine/control(named:)`` give those of the configuration in force.
package struct ControlID: Hashable, Sendable {
  /// Its place in its configuration.
  package let index: Int
  /// How many configurations the engine was given before the one it belongs to.
  package let generation: UInt64

  /// For recordings, which know how often they configure the engine.
  package init(_ index: Int, generation: UInt64) {
    self.index = index
    self.generation = generation
  }
}

extension DeviceNumber: Comparable {
  package static func < (left: DeviceNumber, right: DeviceNumber) -> Bool { left.rawValue < right.rawValue }
}

extension ControlID: Comparable {
  /// In the order of the configuration.
  package static func < (left: ControlID, right: ControlID) -> Bool {
    (left.generation, left.index) < (right.generation, right.index)
  }
}

/// The properties of a device that the engine needs to interpret its events.
package struct DeviceCapabilities: Hashable, Sendable {
  /// The name of the `[device.NAME]` that matched it.
  package var settingsName: String
  /// Every key and axis it has.
  package var usages: Set<EvdevUsage>
  /// The travel of its absolute axes, by code.
  package var axisRanges: [UInt16: ClosedRange<Int32>]
  /// Counts of one detent of its relative axes, by code, where it is not one; not of wheels.
  package var countsPerDetent: [UInt16: Int] = [:]
  /// Known positions of the absolute axes when it was connected.
  package var axisPositions: [UInt16: Int32] = [:]

  package init(
    settingsName: String, usages: Set<EvdevUsage> = [], axisRanges: [UInt16: ClosedRange<Int32>] = [:]
  ) {
    self.settingsName = settingsName
    self.usages = usages
    self.axisRanges = axisRanges
  }

  /// The capabilities of a virtual device; its fader starts at its lower end.
  package static func virtual(settingsName: String) -> DeviceCapabilities {
    var capabilities = DeviceCapabilities(
      settingsName: settingsName, usages: Set(VirtualInput.allCases.map { $0.usage }),
      axisRanges: [VirtualInput.fader.usage.code: VirtualInput.faderRange])
    capabilities.axisPositions[VirtualInput.fader.usage.code] = VirtualInput.faderRange.lowerBound
    return capabilities
  }
}

/// The part of a configuration that the engine works by.
package struct EngineConfiguration: Hashable, Sendable {
  package let controls: [ControlSettings]
  package let devices: [DeviceSettings]
  /// The whole board is idle when no input was touched and no client changed a value for so long; nil: never.
  package let idleAfter: Duration?
  /// Where the bindings to the inputs of a device are, by its name, in their order: there may be many devices and bindings.
  let bindingPlaces: [String: [BindingPlace]]
  /// The places of the controls, by their names.
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
