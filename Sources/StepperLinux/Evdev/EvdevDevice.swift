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
  /// Whether the kernel stamps the device's events with `CLOCK_MONOTONIC`; if not, they are stamped on arrival.
  package let hasMonotonicTime: Bool
  /// All keys and axes of the device.
  package let usages: Set<EvdevUsage>
  let evdev: OpaquePointer
  private let descriptor: OwnedFileDescriptor
  private let keys: [EvdevUsage]
  /// Events that were read and not returned.
  private var events = EventBuffer()
  /// The events of a frame whose `SYN_REPORT` has not been read yet.
  private var partialFrame: EvdevFrame?
  /// Whether events were lost and the resynchronization is pending.
  private var mustResynchronize = false
  /// Whether a read has failed; no further events follow.
  private var hasFailed = false
  /// Whether a grab was requested while a key was down.
  private var hasPendingGrab = false

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
    keys = usages.filter(\.isKey)
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

  // Events are read directly: libevdev would read again after each frame only to find nothing, which costs a system
  // call for each detent. libevdev keeps the state of the device and compares it with the kernel's after a loss.

  /// A frame with more events is truncated and treated as a loss.
  package static let maximumFrameCount = 1024
  /// How many events a loss counts for: at least 64 events were dropped, and a resynchronization takes a dozen
  /// requests.
  private static let resynchronizationCost: Int64 = 1_024

  /// Events delivered since the device was opened, without the `SYN_REPORT`s.
  package private(set) var eventCount: Int64 = 0
  /// Events read since the device was opened, including the ends of frames; each loss counts for many.
  package private(set) var readCount: Int64 = 0
  /// The number of losses of events since the device was opened.
  package private(set) var overrunCount: Int64 = 0
  /// Whether events are known to be unread although the descriptor may not become readable for them.
  package var hasUnread: Bool { mustResynchronize || !events.isEmpty }

  /// The keys that are down according to the events read so far.
  ///
  /// The corresponding C function is `libevdev_get_event_value`.
  package var keysDown: Set<EvdevUsage> {
    Set(keys.filter { unsafe libevdev_get_event_value(evdev, UInt32($0.type), UInt32($0.code)) != 0 })
  }

  /// The next complete frame; nil if there is none yet.
  ///
  /// Call it until it returns nil, or call it again without waiting for the descriptor: events that were read from
  /// the kernel and not returned are kept. A call reads at most twice ``maximumFrameCount`` events; if they complete
  /// no frame, it returns an empty one. `now` is the time of this wakeup: within one wakeup, the descriptor is not
  /// read again once everything was read. It also stamps events that have no time stamp of the kernel. After
  /// `SYN_DROPPED` one result is the state of the device after the resynchronization.
  ///
  /// Throws `ENODEV` if the device was removed, and other errors of reading: `EINVAL` after an incomplete read, `EIO`
  /// if the node is readable but returns no events. The device is then unusable; further calls return nil.
  package func nextFrame(now: Instant) throws(Errno) -> EvdevReading? {
    guard !hasFailed else { return nil }
    do throws(Errno) {
      if mustResynchronize { return .resynchronized(try forceResynchronization(at: now)) }
      let end = readCount + 2 * Int64(Self.maximumFrameCount)
      while readCount < end {
        guard let event = events.next() else {
          guard try events.fill(from: rawDescriptor, at: now) else { return nil }
          continue
        }
        readCount += 1
        if event.type == EV_SYN, event.code == SYN_DROPPED {
          overrunCount += 1
          mustResynchronize = true
          // The resynchronization reports only differences from the last report, so these events must not be lost.
          if let frame = takePartialFrame() { return .frame(frame) }
          return .resynchronized(try forceResynchronization(at: now))
        }
        if let frame = take(event, now: now) { return .frame(frame) }
        if let frame = partialFrame, frame.events.count > Self.maximumFrameCount {
          overrunCount += 1
          return .resynchronized(try forceResynchronization(at: now))
        }
      }
      return .frame(EvdevFrame(time: now, events: []))
    } catch {
      hasFailed = true
      throw error
    }
  }

  /// Adds `event` to the frame; returns the frame if the event ends it.
  private func take(_ event: input_event, now: Instant) -> EvdevFrame? {
    guard event.type != EV_SYN else { return event.code == SYN_REPORT ? takePartialFrame() : nil }
    let (type, code) = (UInt32(event.type), UInt32(event.code))
    guard unsafe libevdev_has_event_code(evdev, type, code) == 1 else { return nil }
    // libevdev changes only its own copy of the state here; it keeps none of relative axes.
    _ = unsafe libevdev_set_event_value(evdev, type, code, event.value)
    let time = hasMonotonicTime ? Instant(event) : now
    partialFrame = partialFrame ?? EvdevFrame(time: time, events: [])
    partialFrame?.time = time
    partialFrame?.events.append(EvdevEvent(event))
    return nil
  }

  private func takePartialFrame() -> EvdevFrame? {
    defer { partialFrame = nil }
    eventCount += Int64(partialFrame?.events.count ?? 0)
    return partialFrame
  }

  /// Discards all unread events, and resynchronizes the device: libevdev drains the queue, then compares the kernel's
  /// state (`EVIOCGKEY`, `EVIOCGABS`, …) with its own.
  private func forceResynchronization(at now: Instant) throws(Errno) -> Resynchronization {
    events.discard()
    var event = input_event()
    try Errno.check(
      status: unsafe libevdev_next_event(evdev, LIBEVDEV_READ_FLAG_FORCE_SYNC.rawValue, &event))
    partialFrame = nil
    mustResynchronize = false
    var changes = EvdevEvents()
    while true {
      var event = input_event()
      let status = unsafe libevdev_next_event(evdev, LIBEVDEV_READ_FLAG_SYNC.rawValue, &event)
      if status == -EAGAIN { break }
      if status == -EINTR { continue }
      try Errno.check(status: status)
      if event.type != EV_SYN { changes.append(EvdevEvent(event)) }
    }
    eventCount += Int64(changes.count)
    readCount += Self.resynchronizationCost + Int64(changes.count)
    return Resynchronization(time: now, events: changes, keysDown: keysDown)
  }

  // MARK: Grabbing

  package private(set) var isGrabbed = false

  /// Whether a grab was put off because a key was down, and no key is known to be down now.
  package var isGrabDue: Bool { hasPendingGrab && keysDown.isEmpty }

  /// Grabs the device, unless a key is down.
  ///
  /// A key that is down during the grab would stay down for other programs, which miss its release. The grab is
  /// therefore pending until all keys are up: call this again when ``isGrabDue``, which must be checked after every
  /// frame. Call it when ``nextFrame(now:)`` has returned nil, because unread events are discarded.
  ///
  /// Throws `EBUSY` if another program holds the grab, and `ENODEV` if the device was removed. The corresponding C
  /// function is `libevdev_grab`.
  package func grab(now: Instant) throws(Errno) -> GrabOutcome {
    let keysDown = keysDown
    hasPendingGrab = !isGrabbed && !keysDown.isEmpty
    guard !isGrabbed else { return .grabbed(Resynchronization(time: now, events: [], keysDown: keysDown)) }
    guard keysDown.isEmpty else { return .waitingForKeys(nil) }

    try setGrab(LIBEVDEV_GRAB)
    let state = try forceResynchronization(at: now)
    guard state.keysDown.isEmpty else {
      // The key went down before the grab, and other programs have received it.
      try ungrab()
      hasPendingGrab = true
      return .waitingForKeys(state)
    }
    return .grabbed(state)
  }

  /// Releases the grab, and cancels a pending one.
  ///
  /// The corresponding C function is `libevdev_grab`, with `LIBEVDEV_UNGRAB`.
  package func ungrab() throws(Errno) {
    hasPendingGrab = false
    try setGrab(LIBEVDEV_UNGRAB)
  }

  private func setGrab(_ mode: libevdev_grab_mode) throws(Errno) {
    try Errno.check(status: unsafe libevdev_grab(evdev, mode))
    isGrabbed = mode == LIBEVDEV_GRAB
  }
}

extension Instant {
  fileprivate init(_ event: input_event) {
    var event = event
    self = unsafe .microseconds(cevdev_event_microseconds(&event))
  }
}

extension EvdevEvent {
  fileprivate init(_ event: input_event) {
    self.init(EvdevUsage(type: event.type, code: event.code), event.value)
  }
}
