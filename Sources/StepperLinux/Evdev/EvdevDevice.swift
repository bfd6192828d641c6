internal import CLinux
internal import Glibc
package import StepperCore
package import SystemPackage
internal import Varlink

/// One open `/dev/input/event*` node.
@safe package final class EvdevDevice {
  package let node: String
  /// The reason why LEDs, sounds and force feedback cannot be written; nil if they can.
  package let writeError: Errno?
  /// Whether the kernel stamps its events with `CLOCK_MONOTONIC`; if not, they are stamped on arrival.
  package let hasMonotonicTime: Bool
  /// All of its keys and axes.
  package let usages: Set<EvdevUsage>
  let evdev: OpaquePointer
  private let descriptor: OwnedFileDescriptor
  private var reader: FrameReader
  private var grab = Grab()

  /// Opens `node` for reading, and for writing if that is permitted.
  ///
  /// Throws the error of `open`, such as `EACCES`, or of the driver if the node is not an evdev device.
  /// ``DeviceProblem`` describes it for people.
  package init(node: String) throws(Errno) {
    let flags = O_NONBLOCK | O_CLOEXEC
    var result = unsafe open(node, O_RDWR | flags)
    let writeError = result < 0 ? Errno.current : nil
    self.writeError = writeError
    if let writeError, [.permissionDenied, .notPermitted, .readOnlyFileSystem].contains(writeError) {
      result = unsafe open(node, O_RDONLY | flags)
    }
    let descriptor = try OwnedFileDescriptor(result)

    cevdev_disable_messages()
    var evdev: OpaquePointer?
    let status = unsafe libevdev_new_from_fd(descriptor.rawValue, &evdev)
    guard status == 0, let evdev = unsafe evdev else { throw Errno(rawValue: -status) }

    hasMonotonicTime = unsafe libevdev_set_clock_id(evdev, CLOCK_MONOTONIC) == 0
    usages = unsafe Self.usages(of: evdev)
    reader = FrameReader(usages, hasMonotonicTime: hasMonotonicTime)
    unsafe self.evdev = evdev
    self.descriptor = descriptor
    self.node = node
  }

  deinit { unsafe libevdev_free(evdev) }

  /// For the event loop, and for writing to the device's outputs; closed with the device.
  package var rawDescriptor: CInt { descriptor.rawValue }

  package var name: String { unsafe OutsideText.shown(libevdev_get_name(evdev)) }
  package var vendor: UInt16 { UInt16(truncatingIfNeeded: unsafe libevdev_get_id_vendor(evdev)) }
  package var product: UInt16 { UInt16(truncatingIfNeeded: unsafe libevdev_get_id_product(evdev)) }

  /// Whether the device has `usage`, which may also be an output such as an LED.
  ///
  /// The corresponding C function is `libevdev_has_event_code`.
  package func has(_ usage: EvdevUsage) -> Bool {
    unsafe libevdev_has_event_code(evdev, UInt32(usage.type), UInt32(usage.code)) == 1
  }

  /// The range and the position of `usage`; nil if it is not an absolute axis of this device.
  ///
  /// The corresponding C function is `libevdev_get_abs_info`.
  package func absoluteAxis(_ usage: EvdevUsage) -> AbsoluteAxisInfo? {
    guard usage.isAbsolute, let axis = unsafe libevdev_get_abs_info(evdev, UInt32(usage.code)) else {
      return nil
    }
    return unsafe AbsoluteAxisInfo(
      minimum: axis.pointee.minimum, maximum: axis.pointee.maximum, value: axis.pointee.value,
      fuzz: axis.pointee.fuzz, flat: axis.pointee.flat, resolution: axis.pointee.resolution)
  }

  private static func usages(of evdev: OpaquePointer) -> Set<EvdevUsage> {
    Set(
      EvdevUsage.all.filter { unsafe libevdev_has_event_code(evdev, UInt32($0.type), UInt32($0.code)) == 1 })
  }

  // MARK: Reading

  /// A frame with more events is truncated and treated as a loss.
  package static var maximumFrameCount: Int { FrameReader.maximumFrameCount }

  /// Events delivered since it was opened, without the `SYN_REPORT`s.
  package var eventCount: Int64 { reader.eventCount }
  /// Events read since it was opened, the ends of frames included; each loss counts for many.
  package var readCount: Int64 { reader.readCount }
  /// Whether events are known to be unread for which the descriptor may not become readable.
  package var hasUnread: Bool { reader.hasUnread }
  /// The number of losses of events since it was opened.
  package var overrunCount: Int64 { reader.overrunCount }
  /// The keys that are down according to the events read so far.
  package var keysDown: Set<EvdevUsage> { unsafe reader.keysDown(of: evdev) }

  /// The next complete frame; nil if there is none yet.
  ///
  /// Call it until it returns nil, or call it again without waiting for the descriptor: events that were read from
  /// the kernel and not returned are kept. A call reads at most twice ``maximumFrameCount`` events; if they complete
  /// no frame, the returned one is empty. `now` is the time of this wakeup, in which the descriptor is not read again
  /// once everything was read; it stamps events without a time stamp of the kernel. After `SYN_DROPPED` one result is
  /// the state of the device after the resynchronization.
  ///
  /// Throws `ENODEV` if the device was removed, and other errors of reading: `EINVAL` after an incomplete read, `EIO`
  /// if the node is readable but returns no events. The device is then unusable; further calls return nil.
  package func nextFrame(now: Instant) throws(Errno) -> EvdevReading? {
    try unsafe reader.nextFrame(of: evdev, now: now)
  }

  // MARK: Grabbing

  package var isGrabbed: Bool { grab.isHeld }

  /// Whether a grab was refused because of a key, and no key is known to be down now.
  package var isGrabDue: Bool { grab.isPending && keysDown.isEmpty }

  /// Grabs the device, unless a key is down.
  ///
  /// A key that is down during the grab would stay down for other programs, which miss its release. The grab is
  /// therefore pending until all keys are up: call this again when ``isGrabDue``, which must be checked after every
  /// frame. Call it when ``nextFrame(now:)`` has returned nil, because unread events are discarded.
  ///
  /// Throws `EBUSY` if another program holds the grab, and `ENODEV` if the device was removed. The corresponding C
  /// function is `libevdev_grab`.
  package func grab(now: Instant) throws(Errno) -> GrabOutcome {
    try unsafe grab.take(evdev, reader: &reader, now: now)
  }

  /// Releases the grab; also cancels a pending one.
  ///
  /// The corresponding C function is `libevdev_grab`, with `LIBEVDEV_UNGRAB`.
  package func ungrab() throws(Errno) { try unsafe grab.release(evdev) }
}
