internal import CEvdev
internal import Glibc
internal import StepperCore
internal import SystemPackage

/// Assembles the events of one device into frames, and resynchronizes it after a loss.
///
/// Events are read through libevdev, which keeps the state of the device; the pointer parameters of the methods are
/// owned by the device.
struct FrameReader {
  /// Events delivered, without the `SYN_REPORT`s.
  private(set) var eventCount: Int64 = 0
  /// Events read, the ends of frames included; each loss counts for many.
  private(set) var readCount: Int64 = 0
  /// The number of losses of events.
  private(set) var overrunCount: Int64 = 0
  /// The events of a frame whose `SYN_REPORT` has not been read yet.
  private var partialFrame: EvdevFrame?
  /// Whether events were lost and the resynchronization is pending.
  private var mustResynchronize = false
  /// Whether anything was read since the queue was last found empty.
  private var hasReadSinceEmpty = true
  /// A read failed; no further events follow.
  private var hasFailed = false
  /// Whether the kernel stamps the events with `CLOCK_MONOTONIC`.
  private let hasMonotonicTime: Bool
  private let keys: [EvdevUsage]

  /// For a device with these `usages`.
  init(_ usages: Set<EvdevUsage>, hasMonotonicTime: Bool) {
    keys = usages.filter(\.isKey)
    self.hasMonotonicTime = hasMonotonicTime
  }

  /// The maximum number of events in a frame; a longer frame is truncated and treated as lost events.
  static let maximumFrameCount = 1024
  /// The number of events that a loss counts for: at least 64 were dropped, and a resynchronization takes a dozen
  /// requests.
  private static let resynchronizationCost: Int64 = 1_024

  /// See ``EvdevDevice/nextFrame(now:)``.
  mutating func nextFrame(of evdev: OpaquePointer, now: Instant) throws(Errno) -> EvdevReading? {
    guard !hasFailed else { return nil }
    do throws(Errno) {
      return try unsafe read(evdev, now: now)
    } catch {
      hasFailed = true
      throw error
    }
  }

  private mutating func read(_ evdev: OpaquePointer, now: Instant) throws(Errno) -> EvdevReading? {
    if mustResynchronize { return .resynchronized(try unsafe resynchronize(evdev, at: now)) }
    var isSecondTry = false
    let end = readCount + 2 * Int64(Self.maximumFrameCount)
    while true {
      guard readCount < end else { return .frame(EvdevFrame(time: now, events: [])) }
      var event = input_event()
      let status = unsafe libevdev_next_event(evdev, LIBEVDEV_READ_FLAG_NORMAL.rawValue, &event)
      switch status {
      case CInt(LIBEVDEV_READ_STATUS_SUCCESS.rawValue):
        hasReadSinceEmpty = true
        readCount += 1
        if let frame = take(event, now: now) { return .frame(frame) }
        if let frame = partialFrame, frame.events.count > Self.maximumFrameCount {
          partialFrame = nil
          overrunCount += 1
          return .resynchronized(try unsafe forceResynchronization(of: evdev, at: now))
        }
      case CInt(LIBEVDEV_READ_STATUS_SYNC.rawValue):
        hasReadSinceEmpty = true
        overrunCount += 1
        mustResynchronize = true
        // libevdev reports only differences from its last report, so these events must not be lost.
        if let frame = takePartialFrame() { return .frame(frame) }
        return .resynchronized(try unsafe resynchronize(evdev, at: now))
      case -EINTR:
        continue
      case -EAGAIN:
        let isEmptyWakeup = !hasReadSinceEmpty
        hasReadSinceEmpty = false
        guard isEmptyWakeup, try claimsToBeReadable(unsafe libevdev_get_fd(evdev)) else { return nil }
        // Events may have arrived since the read; this is tried only once.
        guard !isSecondTry else { throw .ioError }
        isSecondTry = true
      default:
        throw Errno(rawValue: -status)
      }
    }
  }

  /// Adds `event` to the frame; returns the frame if the event ends it.
  private mutating func take(_ event: input_event, now: Instant) -> EvdevFrame? {
    guard event.type != EV_SYN else { return event.code == SYN_REPORT ? takePartialFrame() : nil }
    let time = hasMonotonicTime ? Instant(event) : now
    partialFrame = partialFrame ?? EvdevFrame(time: time, events: [])
    partialFrame?.time = time
    partialFrame?.events.append(EvdevEvent(event))
    return nil
  }

  private mutating func takePartialFrame() -> EvdevFrame? {
    defer { partialFrame = nil }
    eventCount += Int64(partialFrame?.events.count ?? 0)
    return partialFrame
  }

  /// Whether the descriptor is readable although reading returns nothing, which would not end.
  ///
  /// libevdev treats an end of file as "nothing yet", on which a level-triggered event loop would spin. Called after
  /// a wakeup without events. Throws `ENODEV` after a hangup.
  private func claimsToBeReadable(_ descriptor: CInt) throws(Errno) -> Bool {
    var descriptor = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&descriptor, 1, 0) > 0 else { return false }
    guard descriptor.revents & Int16(POLLHUP | POLLERR | POLLNVAL) == 0 else {
      throw .operationNotSupportedByDevice
    }
    return true
  }

  /// The keys that are down according to the events read so far.
  ///
  /// The corresponding C function is `libevdev_get_event_value`.
  func keysDown(of evdev: OpaquePointer) -> Set<EvdevUsage> {
    Set(keys.filter { unsafe libevdev_get_event_value(evdev, UInt32($0.type), UInt32($0.code)) != 0 })
  }

  /// Discards all unread events, and resynchronizes the device.
  mutating func forceResynchronization(of evdev: OpaquePointer, at now: Instant) throws(Errno)
    -> Resynchronization
  {
    var event = input_event()
    let status = unsafe libevdev_next_event(evdev, LIBEVDEV_READ_FLAG_FORCE_SYNC.rawValue, &event)
    guard status >= 0 else { throw Errno(rawValue: -status) }
    return try unsafe resynchronize(evdev, at: now)
  }

  /// libevdev drains the queue, then compares the kernel's state (`EVIOCGKEY`, `EVIOCGABS`, …) with its own.
  private mutating func resynchronize(_ evdev: OpaquePointer, at now: Instant) throws(Errno)
    -> Resynchronization
  {
    partialFrame = nil
    mustResynchronize = false
    var events = EvdevEvents()
    while true {
      var event = input_event()
      let status = unsafe libevdev_next_event(evdev, LIBEVDEV_READ_FLAG_SYNC.rawValue, &event)
      if status == -EAGAIN { break }
      if status == -EINTR { continue }
      guard status >= 0 else { throw Errno(rawValue: -status) }
      if event.type != EV_SYN { events.append(EvdevEvent(event)) }
    }
    eventCount += Int64(events.count)
    readCount += Self.resynchronizationCost + Int64(events.count)
    return Resynchronization(time: now, events: events, keysDown: unsafe keysDown(of: evdev))
  }
}

extension Instant {
  fileprivate init(_ event: input_event) {
    var event = event
    self.init(nanoseconds: unsafe cevdev_event_microseconds(&event).multipliedSaturating(by: 1_000))
  }
}

extension EvdevEvent {
  fileprivate init(_ event: input_event) {
    self.init(EvdevUsage(type: event.type, code: event.code), event.value)
  }
}
