package import StepperCore

/// A recording of devices: their descriptions, and every frame with its time since the first one.
package struct Recording: Hashable, Sendable {
  package var devices: [RecordedDevice] = []
  /// In the order of their times.
  package var entries: [Entry] = []
  /// Whether the last line of the file has no line end and was left out.
  package var isCut = false

  package struct Entry: Hashable, Sendable {
    package var time: Instant
    package var event: Event

    package init(_ time: Instant, _ event: Event) { (self.time, self.event) = (time, event) }
  }

  /// An event. Its device is an index into ``devices``.
  package enum Event: Hashable, Sendable {
    /// The events of one frame, without `SYN_REPORT`.
    case frame(Int, EvdevEvents)
    /// The state of a device after the kernel dropped events (`SYN_DROPPED`).
    case resynchronized(Int, EvdevEvents, keysDown: Set<EvdevUsage>)
    /// The device was plugged in during the recording.
    case added(Int)
    case removed(Int)
    /// The number of frames that are missing here because the recording program was too slow.
    case lost(Int64)
    /// The recording ended.
    case end
  }

  package init() {}
}

extension Recording.Event {
  /// The index of the device; nil if the event belongs to no device.
  var place: Int? {
    switch self {
    case .frame(let place, _), .resynchronized(let place, _, _), .added(let place), .removed(let place): place
    case .lost, .end: nil
    }
  }
}

/// A device of a recording: the properties that a table of the configuration can match, and its capabilities.
package struct RecordedDevice: Hashable, Sendable {
  /// The name, a single word of letters, digits, `.`, `_`, `:` and `-`.
  package var name: String
  /// The properties of the device according to the kernel and udev.
  package var identity: DeviceIdentity
  package var axes: [RecordedAxis] = []
  /// Counts per detent of the relative axes, by code, if the program that attached the device specified them.
  package var countsPerDetent: [UInt16: Int] = [:]
  /// Keys that were down when the recording began.
  package var keysDown: Set<EvdevUsage> = []
  /// Whether the device was present when the recording began; other devices have a line `add`.
  package var isPresentAtStart = true

  package init(name: String, identity: DeviceIdentity = DeviceIdentity(node: "")) {
    (self.name, self.identity) = (name, identity)
  }

  /// The capabilities that the engine needs, for a device of the table `settingsName`.
  package func capabilities(settingsName: String) -> DeviceCapabilities {
    var capabilities = DeviceCapabilities(settingsName: settingsName, usages: identity.usages)
    capabilities.countsPerDetent = countsPerDetent
    capabilities.keysDown = keysDown
    for axis in axes {
      capabilities.axisRanges[axis.usage.code] = axis.range
      capabilities.axisPositions[axis.usage.code] = axis.position
    }
    return capabilities
  }
}

/// An absolute axis as its driver reported it, in its own counts.
package struct RecordedAxis: Hashable, Sendable {
  package var usage: EvdevUsage
  package var range: ClosedRange<Int32>
  /// The position when the recording began.
  package var position: Int32
  /// The noise that the kernel filters out.
  package var fuzz: Int32 = 0
  /// The dead zone around the middle of a joystick.
  package var flat: Int32 = 0
  /// Counts per millimetre; 0 if unknown.
  package var resolution: Int32 = 0

  package init(_ usage: EvdevUsage, _ range: ClosedRange<Int32>, at position: Int32) {
    (self.usage, self.range, self.position) = (usage, range, position)
  }
}
