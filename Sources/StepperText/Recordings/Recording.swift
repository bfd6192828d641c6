package import StepperCore

/// What devices reported: which devices there were, and every frame with its time since the first.
package struct Recording: Hashable, Sendable {
  package var devices: [RecordedDevice] = []
  /// In the order of their times.
  package var entries: [Entry] = []
  /// Whether the last line of the file has no end, and was left out.
  package var isCut = false

  package struct Entry: Hashable, Sendable {
    package var time: Instant
    package var event: Event

    package init(_ time: Instant, _ event: Event) { (self.time, self.event) = (time, event) }
  }

  /// Devices are places in ``devices``.
  package enum Event: Hashable, Sendable {
    /// The events of one frame, without `SYN_REPORT`.
    case frame(Int, EvdevEvents)
    /// The state of a device after the kernel dropped events (`SYN_DROPPED`).
    case resynchronized(Int, EvdevEvents, keysDown: Set<EvdevUsage>)
    /// It was plugged in while the recording was made.
    case added(Int)
    case removed(Int)
    /// Frames that are missing here, because the recording program was too slow.
    case lost(Int64)
    /// The recording ended.
    case end
  }

  package init() {}
}

extension Recording.Event {
  /// The device whose event it is; nil: that of none.
  var place: Int? {
    switch self {
    case .frame(let place, _), .resynchronized(let place, _, _), .added(let place), .removed(let place): place
    case .lost, .end: nil
    }
  }
}

/// A device of a recording: what a table of the configuration can match, and what it has.
package struct RecordedDevice: Hashable, Sendable {
  /// A word: letters, digits, `.`, `_`, `:` and `-`.
  package var name: String
  /// What the kernel and udev say of it.
  package var identity: DeviceIdentity
  package var axes: [RecordedAxis] = []
  /// Counts of one detent of its relative axes, by code, where its program has said so.
  package var countsPerDetent: [UInt16: Int] = [:]
  /// Keys that were down when the recording began.
  package var keysDown: Set<EvdevUsage> = []
  /// Whether it was there when the recording began; the others have a line `add`.
  package var isPresentAtStart = true

  package init(name: String, identity: DeviceIdentity = DeviceIdentity(node: "")) {
    (self.name, self.identity) = (name, identity)
  }

  /// What the engine needs of it as a device of a table.
  package func capabilities(settingsName: String) -> DeviceCapabilities {
    var capabilities = DeviceCapabilities(settingsName: settingsName, usages: identity.usages)
    capabilities.countsPerDetent = countsPerDetent
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
  /// Where it stood when the recording began.
  package var position: Int32
  /// The noise that the kernel filters out.
  package var fuzz: Int32 = 0
  /// Around the middle of a joystick.
  package var flat: Int32 = 0
  /// Counts per millimetre; 0: unknown.
  package var resolution: Int32 = 0

  package init(_ usage: EvdevUsage, _ range: ClosedRange<Int32>, at position: Int32) {
    (self.usage, self.range, self.position) = (usage, range, position)
  }
}
