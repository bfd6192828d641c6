internal import CLinux
internal import Glibc
package import StepperCore
package import SystemPackage

/// Outputs are written through the descriptor of the device: during a grab, the kernel silently discards what is
/// written through other descriptors or the LED class (`input_inject_event` in `drivers/input/input.c`).
extension EvdevDevice {
  package var isWritable: Bool { writeError == nil }

  /// Whether the device has outputs or lights.
  package var hasOutputs: Bool {
    hasForceFeedback || has(type: EV_SND) || has(type: EV_LED) || has(.pulseLED)
  }

  package var hasForceFeedback: Bool { has(type: EV_FF) }

  private func has(type: CInt) -> Bool { unsafe libevdev_has_event_type(evdev, UInt32(type)) == 1 }

  /// Whether the device has outputs, was not writable when it was opened, and has become writable.
  package var mayBeReopened: Bool { unsafe !isWritable && hasOutputs && access(node, W_OK) == 0 }

  /// Writes one event followed by `SYN_REPORT`. Does not wait for the hardware.
  ///
  /// Without the report the event would stay in every reader's queue until the next report, and many such events
  /// would overflow it. Throws `ENODEV` if the device was removed, and `EBADF` if it was opened for reading only.
  package func write(_ event: EvdevEvent) throws(Errno) {
    try Errno.check(
      status: cevdev_write_event(rawDescriptor, event.usage.type, event.usage.code, event.value))
  }

  /// Masks the events that the daemon writes itself; otherwise each output causes a wakeup.
  ///
  /// Kernels before 4.4 do not support it; the events are then read and ignored. The corresponding request is
  /// `EVIOCSMASK`, which applies to this descriptor only.
  func ignoreOutputs() {
    let types = [EV_LED, EV_SND, EV_FF].reduce(~UInt(0)) { $0 & ~(1 << UInt($1)) }
    _ = cevdev_set_masks(rawDescriptor, types, ~(1 << UInt(MSC_PULSELED)))
  }
}

extension EvdevUsage {
  static func led(_ code: Int) -> EvdevUsage { EvdevUsage(type: UInt16(EV_LED), code: UInt16(code)) }
  static func sound(_ code: Int32) -> EvdevUsage { EvdevUsage(type: UInt16(EV_SND), code: UInt16(code)) }
  static func force(_ code: Int32) -> EvdevUsage { EvdevUsage(type: UInt16(EV_FF), code: UInt16(code)) }
  static let pulseLED = EvdevUsage(type: UInt16(EV_MSC), code: UInt16(MSC_PULSELED))
}
