internal import CLinux
internal import Glibc
internal import StepperCore
internal import SystemPackage

/// Assembles the events of one device into frames, and resynchronizes it after a loss.
///
/// Events are read directly: libevdev would read again after each frame to find that there is none, which is a system
/// call for each detent. libevdev keeps the state of the device and compares it with the kernel's after a loss. The
/// pointer parameters of the methods are owned by the device.
struct FrameReader {
  /// Events delivered, without the `SYN_REPORT`s.
  private(set) var eventCount: Int64 = 0
  /// Events read, the ends of frames included; each loss counts for many.
  private(set) var readCount: Int64 = 0
  /// The number of losses of events.
  private(set) var overrunCount: Int64 = 0
  /// The events of a frame whose `SYN_REPORT` has not been read yet.
  private var partialFrame: EvdevFrame?
  /// Events that were read and not returned.
  private var events = EventBuffer()
  /// Whether events were lost and the resynchronization is pending.
  private var mustResynchronize = false
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

  /// Whether more events are known to be unread: the descriptor may not become readable for them.
  var hasUnread: Bool { mustResynchronize || !events.isEmpty }

  /// See ``EvdevDevice/nextFrame(now:)``.
  mutating func nextFrame(of evdev: OpaquePointer, now: Instant) throws(Errno) -> EvdevReading? {
    guard !hasFailed else { return nil }
    do throws(Errno) {
      if mustResynchronize { return .resynchronized(try unsafe forceResynchronization(of: evdev, at: now)) }
      let end = readCount + 2 * Int64(Self.maximumFrameCount)
      while readCount < end {
        guard let event = events.next() else {
          guard try unsafe events.fill(from: libevdev_get_fd(evdev), at: now) else { return nil }
          continue
        }
        readCount += 1
        if event.type == EV_SYN, event.code == SYN_DROPPED {
          overrunCount += 1
          mustResynchronize = true
          // The resynchronization reports only differences from the last report, so these events must not be lost.
          if let frame = takePartialFrame() { return .frame(frame) }
          return .resynchronized(try unsafe forceResynchronization(of: evdev, at: now))
        }
        if let frame = unsafe take(event, of: evdev, now: now) { return .frame(frame) }
        if let frame = partialFrame, frame.events.count > Self.maximumFrameCount {
          overrunCount += 1
          return .resynchronized(try unsafe forceResynchronization(of: evdev, at: now))
        }
      }
      return .frame(EvdevFrame(time: now, events: []))
    } catch {
      hasFailed = true
      throw error
    }
  }

  /// Adds `event` to the frame; returns the frame if the event ends it.
  private mutating func take(_ event: input_event, of evdev: OpaquePointer, now: Instant) -> EvdevFrame? {
    guard event.type != EV_SYN else { return event.code == SYN_REPORT ? takePartialFrame() : nil }
    let (type, code) = (UInt32(event.type), UInt32(event.code))
    guard unsafe libevdev_has_event_code(evdev, type, code) == 1 else { return nil }
    // Only in its own memory; it knows no state of relative axes.
    _ = unsafe libevdev_set_event_value(evdev, type, code, event.value)
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

  /// The keys that are down according to the events read so far.
  ///
  /// The corresponding C function is `libevdev_get_event_value`.
  func keysDown(of evdev: OpaquePointer) -> Set<EvdevUsage> {
    Set(keys.filter { unsafe libevdev_get_event_value(evdev, UInt32($0.type), UInt32($0.code)) != 0 })
  }

  /// Discards all unread events, and resynchronizes the device: libevdev drains the queue, then compares the kernel's
  /// state (`EVIOCGKEY`, `EVIOCGABS`, …) with its own.
  mutating func forceResynchronization(of evdev: OpaquePointer, at now: Instant) throws(Errno)
    -> Resynchronization
  {
    events.discard()
    var event = input_event()
    let status = unsafe libevdev_next_event(evdev, LIBEVDEV_READ_FLAG_FORCE_SYNC.rawValue, &event)
    guard status >= 0 else { throw Errno(rawValue: -status) }
    partialFrame = nil
    mustResynchronize = false
    var changes = EvdevEvents()
    while true {
      var event = input_event()
      let status = unsafe libevdev_next_event(evdev, LIBEVDEV_READ_FLAG_SYNC.rawValue, &event)
      if status == -EAGAIN { break }
      if status == -EINTR { continue }
      guard status >= 0 else { throw Errno(rawValue: -status) }
      if event.type != EV_SYN { changes.append(EvdevEvent(event)) }
    }
    eventCount += Int64(changes.count)
    readCount += Self.resynchronizationCost + Int64(changes.count)
    return Resynchronization(time: now, events: changes, keysDown: unsafe keysDown(of: evdev))
  }
}

/// Events that were read from a node at once, and are taken one by one.
private struct EventBuffer {
  private var events: [input_event] = []
  /// The part that was read and not taken.
  private var unread = 0..<0
  /// The wakeup in which a read returned everything that the kernel had: it returns as much as there is.
  private var exhausted: Instant?
  /// Whether anything was read since the kernel was last found to have nothing.
  private var hasReadSinceEmpty = true

  /// More than the kernel queues for a device with few axes.
  private static var capacity: Int { 256 }

  var isEmpty: Bool { unread.isEmpty }

  /// The next event; nil after the last one.
  mutating func next() -> input_event? {
    guard let index = unread.first else { return nil }
    unread.removeFirst()
    return events[index]
  }

  /// Reads as many events as there are, once all are taken; false if there are none. In the wakeup at `now` the kernel is
  /// asked only until a read does not fill the buffer.
  ///
  /// Throws the error of `read`, `EINVAL` after an incomplete event, and `EIO` if the descriptor stays readable without
  /// events, on which a level-triggered event loop would spin.
  mutating func fill(from descriptor: CInt, at now: Instant) throws(Errno) -> Bool {
    guard exhausted != now else { return false }
    if events.isEmpty { events = Array(repeating: input_event(), count: Self.capacity) }
    var isSecondTry = false
    while true {
      let size = unsafe events.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
      let error = Errno.current
      if size > 0 {
        let (count, rest) = size.quotientAndRemainder(dividingBy: MemoryLayout<input_event>.stride)
        guard rest == 0 else { throw .invalidArgument }
        unread = 0..<count
        if count < events.count { exhausted = now }
        hasReadSinceEmpty = true
        return true
      }
      guard size == 0 || [.wouldBlock, .resourceTemporarilyUnavailable, .interrupted].contains(error) else {
        throw error
      }
      let isEmptyWakeup = !hasReadSinceEmpty
      hasReadSinceEmpty = false
      guard isEmptyWakeup, try claimsToBeReadable(descriptor) else { return false }
      // Events may have arrived since the read; this is tried only once.
      guard !isSecondTry else { throw .ioError }
      isSecondTry = true
    }
  }

  /// Whether the descriptor is readable although reading returned nothing. Throws `ENODEV` after a hangup.
  private func claimsToBeReadable(_ descriptor: CInt) throws(Errno) -> Bool {
    var descriptor = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&descriptor, 1, 0) > 0 else { return false }
    guard descriptor.revents & Int16(POLLHUP | POLLERR | POLLNVAL) == 0 else {
      throw .operationNotSupportedByDevice
    }
    return true
  }

  /// Drops what was read.
  mutating func discard() {
    unread = 0..<0
    exhausted = nil
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
