internal import StepperCore
internal import StepperText

extension RecordedDevice {
  /// Whether the device is part of the board: its bus is BUS_I8042, BUS_I2C, BUS_HOST or BUS_SPI. USB and Bluetooth
  /// devices can be unplugged.
  var isBuiltIn: Bool { [0x11, 0x18, 0x19, 0x1c].contains(identity.bus) }

  /// The travel of an absolute axis in counts of its driver; nil without one.
  func travel(of usage: EvdevUsage) -> ClosedRange<Int32>? {
    axes.first { $0.usage == usage && $0.range.length > 0 }?.range
  }
}

extension ClosedRange<Int32> {
  /// The distance between its ends.
  var length: Double { Double(Int64(upperBound) - Int64(lowerBound)) }
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
