internal import StepperCore

/// A device that is watched while the user moves something.
struct WatchedDevice: Hashable, Sendable {
  /// Its name in the daemon: that of the `[device.NAME]` table, or the kernel's.
  var name: String
  var identity: DeviceIdentity
  /// By code.
  var axes: [UInt16: WatchedAxis] = [:]

  /// Whether it is on the board: its bus is BUS_I8042, BUS_I2C, BUS_HOST or BUS_SPI. USB and Bluetooth devices can be unplugged.
  var isBuiltIn: Bool { [0x11, 0x18, 0x19, 0x1c].contains(identity.bus) }

  /// As the engine knows it.
  func capabilities(settingsName: String) -> DeviceCapabilities {
    var capabilities = DeviceCapabilities(settingsName: settingsName, usages: identity.usages)
    for (code, axis) in axes where axis.minimum < axis.maximum {
      capabilities.axisRanges[code] = axis.minimum...axis.maximum
      capabilities.axisPositions[code] = axis.value
    }
    return capabilities
  }
}

/// An absolute axis as the driver reports it, in its own counts.
struct WatchedAxis: Hashable, Sendable {
  var minimum: Int32
  var maximum: Int32
  var value: Int32 = 0
}

/// The events of a device up to a `SYN_REPORT`.
struct WatchedFrame: Hashable, Sendable {
  var device: String
  var time: Instant
  var events: EvdevEvents
}

/// An input of a device that is watched.
struct WatchedInput: Hashable, Comparable, Sendable {
  var device: String
  var usage: EvdevUsage

  init(_ device: String, _ usage: EvdevUsage) { (self.device, self.usage) = (device, usage) }

  static func < (left: WatchedInput, right: WatchedInput) -> Bool {
    (left.device, left.usage) < (right.device, right.usage)
  }
}
