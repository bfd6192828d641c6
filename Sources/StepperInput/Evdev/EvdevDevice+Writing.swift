internal import CEvdev
internal import Glibc
package import StepperCore
package import SystemPackage

/// What is written goes through our own descriptor: while we hold the grab, the kernel drops what comes by
/// another one, and by the LED class, without an error (`input_inject_event` in `drivers/input/input.c`).
extension EvdevDevice {
  package var isWritable: Bool { writeError == nil }

  /// Whether there is something of it to be felt, heard or seen.
  package var hasOutputs: Bool {
    hasForceFeedback || has(type: EV_SND) || has(type: EV_LED) || has(.pulseLED)
  }

  package var hasForceFeedback: Bool { has(type: EV_FF) }

  private func has(type: CInt) -> Bool { unsafe libevdev_has_event_type(evdev, UInt32(type)) == 1 }

  /// Whether it has outputs that could not be written when it was opened, and may be by now.
  package var mayBeReopened: Bool { unsafe !isWritable && hasOutputs && access(node, W_OK) == 0 }

  /// Writes one event and the `SYN_REPORT` behind it. Does not wait for the hardware.
  ///
  /// Without the report, the event would stay in the queue of every reader until the next one, and enough of
  /// them overflow it. Throws `ENODEV` when the device is gone, and `EBADF` when it was opened for reading.
  package func write(_ event: EvdevEvent) throws(Errno) {
    try Errno.checkStatus(
      cevdev_write_event(rawDescriptor, event.usage.type, event.usage.code, event.value))
  }

  /// Asks the kernel not to tell us what we wrote ourselves; otherwise each output wakes us up once more.
  ///
  /// Kernels before 4.4 cannot, and then the events are read and mean nothing. The corresponding request is
  /// `EVIOCSMASK`, which is for this descriptor alone.
  func ignoreOutputs() {
    let types = [EV_LED, EV_SND, EV_FF].reduce(~UInt(0)) { $0 & ~(1 << UInt($1)) }
    _ = cevdev_set_masks(rawDescriptor, types, ~(1 << UInt(MSC_PULSELED)))
  }
}

extension Errno {
  /// Throws what a function of `CEvdev` failed with, which is a negative `errno`; or returns its result.
  @discardableResult
  static func checkStatus(_ status: CInt) throws(Errno) -> CInt {
    guard status >= 0 else { throw Errno(rawValue: -status) }
    return status
  }
}

extension EvdevUsage {
  static func led(_ code: Int) -> EvdevUsage { EvdevUsage(type: UInt16(EV_LED), code: UInt16(code)) }
  static func sound(_ code: Int32) -> EvdevUsage { EvdevUsage(type: UInt16(EV_SND), code: UInt16(code)) }
  static func force(_ code: Int32) -> EvdevUsage { EvdevUsage(type: UInt16(EV_FF), code: UInt16(code)) }
  static let pulseLED = EvdevUsage(type: UInt16(EV_MSC), code: UInt16(MSC_PULSELED))
}
