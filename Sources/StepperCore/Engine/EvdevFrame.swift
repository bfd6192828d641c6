/// The events up to a `SYN_REPORT`, with one time stamp.
package struct EvdevFrame: Hashable, Sendable {
  package var time: Instant
  package var events: EvdevEvents

  package init(time: Instant, events: EvdevEvents) {
    self.time = time
    self.events = events
  }
}

/// One `struct input_event` without its time.
package struct EvdevEvent: Hashable, Sendable {
  package var usage: EvdevUsage
  package var value: Int32

  package init(_ usage: EvdevUsage, _ value: Int32) {
    self.usage = usage
    self.value = value
  }
}

/// An event's type and code, such as `EV_REL`/`REL_DIAL`, in one value, so that the two cannot be swapped by
/// accident.
///
/// The numbers are the kernel's ABI, `include/uapi/linux/input-event-codes.h`.
package struct EvdevUsage: Hashable, Sendable {
  package var type: UInt16
  package var code: UInt16

  package init(type: UInt16, code: UInt16) {
    self.type = type
    self.code = code
  }

  package static func key(_ code: UInt16) -> EvdevUsage { EvdevUsage(type: 0x01, code: code) }
  package static func relative(_ code: UInt16) -> EvdevUsage { EvdevUsage(type: 0x02, code: code) }
  package static func absolute(_ code: UInt16) -> EvdevUsage { EvdevUsage(type: 0x03, code: code) }

  package var isKey: Bool { type == 0x01 }
  package var isRelative: Bool { type == 0x02 }
  package var isAbsolute: Bool { type == 0x03 }

  /// `REL_DIAL`: a knob turned by `value` detents.
  package static let dial = relative(0x07)
  /// `REL_WHEEL`, in notches.
  package static let wheel = relative(0x08)
  /// `REL_WHEEL_HI_RES`, in 1/120 of a notch (v120).
  package static let wheelHighResolution = relative(0x0b)
  /// `REL_HWHEEL`, in notches.
  package static let horizontalWheel = relative(0x06)
  /// `REL_HWHEEL_HI_RES`, in 1/120 of a notch (v120).
  package static let horizontalWheelHighResolution = relative(0x0c)
  /// `KEY_VOLUMEDOWN`.
  package static let volumeDown = key(114)
  /// `KEY_VOLUMEUP`.
  package static let volumeUp = key(115)
  /// `BTN_0`: the push button of most knobs.
  package static let button0 = key(0x100)
  /// `ABS_VOLUME`.
  package static let absoluteVolume = absolute(0x20)
}

extension EvdevUsage: Comparable {
  /// By type, then by code.
  package static func < (left: EvdevUsage, right: EvdevUsage) -> Bool {
    (left.type, left.code) < (right.type, right.code)
  }
}
