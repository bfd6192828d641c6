internal import CEvdev
internal import Glibc
package import StepperCore
package import SystemPackage

extension EvdevDevice {
  /// A frame with more events than this is none that a sane device sends; it is cut and treated as loss.
  package static var maximumFrameCount: Int { 1024 }
  /// For how many events a loss counts: at least 64 were dropped, and reading the state back is a dozen requests.
  private static var resynchronizationCost: Int64 { 1_024 }

  /// The next frame the kernel has ready; nil when there is none yet.
  ///
  /// Call it until it returns nil, or call it again without waiting for the descriptor: what was read from the kernel
  /// and not handed out is kept. A call reads twice ``maximumFrameCount`` events at most, whatever the device sends; if
  /// they made no frame, the one it returns is empty. `now` is the time of this wakeup: it stamps what the kernel does not.
  /// After `SYN_DROPPED` one result says how the device stands now.
  ///
  /// Throws `ENODEV` when the device was unplugged, and whatever else reading fails with: `EINVAL` after a
  /// torn read, `EIO` when the node claims to have events and gives none. The device is of no use then;
  /// further calls return nil.
  package func nextFrame(now: Instant) throws(Errno) -> EvdevReading? {
    guard !hasFailed else { return nil }
    do throws(Errno) {
      return try read(now: now)
    } catch {
      hasFailed = true
      throw error
    }
  }

  private func read(now: Instant) throws(Errno) -> EvdevReading? {
    if mustResynchronize { return .resynchronized(try resynchronize(at: now)) }
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
          return .resynchronized(try forceResynchronization(at: now))
        }
      case CInt(LIBEVDEV_READ_STATUS_SYNC.rawValue):
        hasReadSinceEmpty = true
        overrunCount += 1
        mustResynchronize = true
        // libevdev reports only what differs from what it has told, so what it has told must not be lost.
        if let frame = takePartialFrame() { return .frame(frame) }
        return .resynchronized(try resynchronize(at: now))
      case -EINTR:
        continue
      case -EAGAIN:
        let isEmptyWakeup = !hasReadSinceEmpty
        hasReadSinceEmpty = false
        guard isEmptyWakeup, try claimsToBeReadable() else { return nil }
        // Events may have come in just now; but only once.
        guard !isSecondTry else { throw .ioError }
        isSecondTry = true
      default:
        throw Errno(rawValue: -status)
      }
    }
  }

  /// Adds `event` to the frame; returns the frame if that was the end of it.
  private func take(_ event: input_event, now: Instant) -> EvdevFrame? {
    guard event.type != EV_SYN else { return event.code == SYN_REPORT ? takePartialFrame() : nil }
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

  /// Whether the descriptor claims that there is something to read, or will go on claiming it for ever.
  ///
  /// libevdev takes an end of file for "nothing yet", which a level-triggered event loop would spin on.
  /// Called after a wakeup that gave nothing. Throws `ENODEV` after a hangup.
  private func claimsToBeReadable() throws(Errno) -> Bool {
    var descriptor = pollfd(fd: rawDescriptor, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&descriptor, 1, 0) > 0 else { return false }
    guard descriptor.revents & Int16(POLLHUP | POLLERR | POLLNVAL) == 0 else {
      throw .operationNotSupportedByDevice
    }
    return true
  }

  /// Throws everything away that waits to be read, and reads back how the device stands.
  func forceResynchronization(at now: Instant) throws(Errno) -> Resynchronization {
    var event = input_event()
    let status = unsafe libevdev_next_event(evdev, LIBEVDEV_READ_FLAG_FORCE_SYNC.rawValue, &event)
    guard status >= 0 else { throw Errno(rawValue: -status) }
    return try resynchronize(at: now)
  }

  /// libevdev drains the queue, then compares the kernel's state (`EVIOCGKEY`, `EVIOCGABS`, …) with its own.
  private func resynchronize(at now: Instant) throws(Errno) -> Resynchronization {
    partialFrame = nil
    mustResynchronize = false
    var events: [EvdevEvent] = []
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
    return Resynchronization(time: now, events: events, keysDown: keysDown)
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
