package import StepperCore

/// A device that is watched while a person moves something.
package struct WatchedDevice: Hashable, Sendable {
  /// Its name in the daemon: that of the `[device.NAME]` table, or the kernel's.
  package var name: String
  package var identity: DeviceIdentity
  /// Whether it is on no bus that devices are plugged into while the machine runs.
  package var isBuiltIn: Bool
  /// By code.
  package var axes: [UInt16: WatchedAxis]

  package init(
    name: String, identity: DeviceIdentity, isBuiltIn: Bool = false, axes: [UInt16: WatchedAxis] = [:]
  ) {
    self.name = name
    self.identity = identity
    self.isBuiltIn = isBuiltIn
    self.axes = axes
  }

  /// As the engine knows it.
  package func capabilities(settingsName: String) -> DeviceCapabilities {
    var capabilities = DeviceCapabilities(settingsName: settingsName, usages: identity.usages)
    for (code, axis) in axes where axis.minimum < axis.maximum {
      capabilities.axisRanges[code] = axis.minimum...axis.maximum
      capabilities.axisPositions[code] = axis.value
    }
    return capabilities
  }
}

/// An absolute axis as the driver reports it, in its own counts.
package struct WatchedAxis: Hashable, Sendable {
  package var minimum: Int32
  package var maximum: Int32
  package var value: Int32

  package init(minimum: Int32, maximum: Int32, value: Int32 = 0) {
    self.minimum = minimum
    self.maximum = maximum
    self.value = value
  }
}

/// The events of a device up to a `SYN_REPORT`.
package struct WatchedFrame: Hashable, Sendable {
  package var device: String
  package var time: Instant
  package var events: EvdevEvents

  package init(device: String, time: Instant, events: EvdevEvents) {
    self.device = device
    self.time = time
    self.events = events
  }
}

/// An input of a device that is watched.
package struct WatchedInput: Hashable, Comparable, Sendable {
  package var device: String
  package var usage: EvdevUsage

  package init(_ device: String, _ usage: EvdevUsage) { (self.device, self.usage) = (device, usage) }

  package static func < (left: WatchedInput, right: WatchedInput) -> Bool {
    (left.device, left.usage) < (right.device, right.usage)
  }
}
