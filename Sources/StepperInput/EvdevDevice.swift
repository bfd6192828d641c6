internal import CEvdev
internal import Glibc
package import StepperCore
internal import StepperSystem
package import SystemPackage

/// One open `/dev/input/event*` node.
///
/// Reading is in `EvdevDevice+Reading.swift`, grabbing in `EvdevDevice+Grab.swift`.
@safe package final class EvdevDevice {
  package let node: String
  /// Why LEDs, sounds and force feedback may not be written to it; nil if they may.
  package let writeError: Errno?
  /// Whether the kernel stamps its events with `CLOCK_MONOTONIC`; if not, they are stamped on arrival.
  package let hasMonotonicTime: Bool
  /// Every key and axis it says it has.
  package let usages: Set<EvdevUsage>
  /// Events delivered since it was opened, without the `SYN_REPORT`s.
  package internal(set) var eventCount: Int64 = 0
  /// Events read since it was opened, the ends of frames included; each loss counts for many.
  package internal(set) var readCount: Int64 = 0
  /// How often events were lost since it was opened.
  package internal(set) var overrunCount: Int64 = 0
  package internal(set) var isGrabbed = false

  let evdev: OpaquePointer
  private let descriptor: OwnedFileDescriptor
  /// What the kernel has told of a frame whose `SYN_REPORT` has not been read yet.
  var partialFrame: EvdevFrame?
  /// Events were lost, and the state has not been read back yet.
  var mustResynchronize = false
  /// Whether anything could be read since the queue was last found empty.
  var hasReadSinceEmpty = true
  /// A read failed; nothing more will come.
  var hasFailed = false
  /// A grab is wanted as soon as no key is down.
  var isGrabPending = false

  /// Opens `node` for reading, and for writing if that is allowed.
  ///
  /// Throws what `open` fails with, such as `EACCES`, or what the node's driver answers if it is no evdev
  /// device. ``DeviceProblem`` says it in words.
  package init(node: String) throws(Errno) {
    let flags = O_NONBLOCK | O_CLOEXEC
    var result = unsafe open(node, O_RDWR | flags)
    let writeError = result < 0 ? Errno.current : nil
    self.writeError = writeError
    if let writeError, [.permissionDenied, .notPermitted, .readOnlyFileSystem].contains(writeError) {
      result = unsafe open(node, O_RDONLY | flags)
    }
    let descriptor = try OwnedFileDescriptor(result)

    // libevdev writes its own messages to stderr otherwise.
    libevdev_set_log_function(nil, nil)
    var evdev: OpaquePointer?
    let status = unsafe libevdev_new_from_fd(descriptor.rawValue, &evdev)
    guard status == 0, let evdev = unsafe evdev else { throw Errno(rawValue: -status) }

    hasMonotonicTime = unsafe libevdev_set_clock_id(evdev, CLOCK_MONOTONIC) == 0
    usages = unsafe Self.usages(of: evdev)
    unsafe self.evdev = evdev
    self.descriptor = descriptor
    self.node = node
  }

  deinit { unsafe libevdev_free(evdev) }

  /// For the event loop, and for writing to the device's outputs; closed with the device.
  package var rawDescriptor: CInt { descriptor.rawValue }

  package var name: String { unsafe String(cString: libevdev_get_name(evdev)) }
  package var vendor: UInt16 { UInt16(truncatingIfNeeded: unsafe libevdev_get_id_vendor(evdev)) }
  package var product: UInt16 { UInt16(truncatingIfNeeded: unsafe libevdev_get_id_product(evdev)) }

  /// Whether the device has `usage`, which may also be an output such as an LED.
  ///
  /// The corresponding C function is `libevdev_has_event_code`.
  package func has(_ usage: EvdevUsage) -> Bool {
    unsafe libevdev_has_event_code(evdev, UInt32(usage.type), UInt32(usage.code)) == 1
  }

  /// The range of `usage` and where it stands; nil if it is not an absolute axis of this device.
  ///
  /// The corresponding C function is `libevdev_get_abs_info`.
  package func absoluteAxis(_ usage: EvdevUsage) -> AbsoluteAxis? {
    guard usage.isAbsolute, let axis = unsafe libevdev_get_abs_info(evdev, UInt32(usage.code)) else {
      return nil
    }
    return unsafe AbsoluteAxis(
      minimum: axis.pointee.minimum, maximum: axis.pointee.maximum, value: axis.pointee.value,
      fuzz: axis.pointee.fuzz, flat: axis.pointee.flat, resolution: axis.pointee.resolution)
  }

  /// The keys that are down, as far as the events read so far say.
  ///
  /// The corresponding C function is `libevdev_get_event_value`.
  package var keysDown: Set<EvdevUsage> {
    usages.filter { key in
      guard key.isKey else { return false }
      return unsafe libevdev_get_event_value(evdev, UInt32(key.type), UInt32(key.code)) != 0
    }
  }

  private static func usages(of evdev: OpaquePointer) -> Set<EvdevUsage> {
    Set(
      EvdevUsage.all.filter { unsafe libevdev_has_event_code(evdev, UInt32($0.type), UInt32($0.code)) == 1 })
  }
}
