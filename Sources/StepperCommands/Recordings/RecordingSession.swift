internal import StepperClient
internal import StepperCore
internal import StepperLinux
internal import StepperText

/// Converts replies of the daemon to the lines of a recording.
struct RecordingSession {
  private(set) var devices: [RecordedDevice] = []
  private(set) var frames: Int64 = 0
  private(set) var lost: Int64 = 0
  private var writer = RecordingWriter(.kernel)
  /// Whether keyboards, mice and other general-purpose devices are recorded.
  private let recordsKeyboards: Bool
  /// The indices of connected devices in ``devices``, by the daemon's name.
  private var places: [String: Int] = [:]
  /// The indices of devices that were connected before.
  private var formerPlaces: [String: Int] = [:]
  /// The keys that are down, by the index of the device.
  private var keysDown: [Int: Set<EvdevUsage>] = [:]
  /// The time of the first frame, on the daemon's clock.
  private var start: Instant?
  /// The daemon's clock minus this program's, in nanoseconds; nil until the first frame. The clocks differ over a
  /// network and in a time namespace.
  private var clockOffset: Int64?
  /// Whether the recording has reached a limit beyond which it could not be played.
  private(set) var isFull = false
  private var bytes = 0
  private var entries = 0
  /// Room for the last line.
  private static let endBytes = 64

  init(keyboards: Bool) { recordsKeyboards = keyboards }

  /// The beginning of the file.
  mutating func head(_ comments: [String]) -> [String] { fitting(writer.head(comments)) }

  /// A comment about a time without a connection, in which events are missing.
  mutating func gap() -> [String] {
    fitting(["# The connection to the daemon was lost here; events are missing."])
  }

  /// The lines of a reply that was received at `now`, on this program's clock.
  mutating func lines(of reply: DeviceInterface.Monitor.Reply, at now: Instant) -> [String] {
    if let frame = reply.frames.last, clockOffset == nil { setClock(by: frame.instant, at: now) }
    let now = atDaemon(now)
    var lines: [String] = []
    let replaced = reply.removed.filter { name in reply.devices.contains { $0.device == name } }
    for name in replaced { lines += removed(name, at: now) }
    for device in reply.devices { lines += described(device, at: now) }
    if reply.dropped > 0 {
      lost = lost.addingSaturating(reply.dropped)
      lines += line(.lost(reply.dropped), at: reply.frames.first.map(\.instant) ?? now)
    }
    for frame in reply.frames { lines += read(frame) }
    for name in reply.removed where !replaced.contains(name) { lines += removed(name, at: now) }
    return lines
  }

  /// The last line, of a recording that ends at `now`.
  mutating func end(at now: Instant) -> String { text(.end, at: atDaemon(now)) }

  // MARK: Time

  /// Determines the offset of the daemon's clock. A frame in the future, or more than a minute late, shows that the
  /// clocks differ.
  private mutating func setClock(by frame: Instant, at now: Instant) {
    let difference = frame.nanoseconds(since: now)
    let offset = (-60_000_000_000...0).contains(difference) ? 0 : difference
    clockOffset = offset
    start = start.map { $0 + .nanoseconds(offset) }
  }

  private func atDaemon(_ now: Instant) -> Instant { now + .nanoseconds(clockOffset ?? 0) }

  // MARK: Devices

  private mutating func described(_ device: DeviceInterface.MonitoredDevice, at now: Instant) -> [String] {
    guard recordsKeyboards || !device.generalPurpose else { return [] }
    var recorded = RecordedDevice(device, name: word(for: device.device))
    recorded.isPresentAtStart = start == nil
    if let former = places[device.device] {
      // This is the same device, described again because of a problem or a lost connection, during which keys may have
      // moved.
      if devices[former].isSameDevice(as: recorded) {
        guard keysDown.updateValue(recorded.keysDown, forKey: former) != recorded.keysDown else { return [] }
        return line(.resynchronized(former, [], keysDown: recorded.keysDown), at: now)
      }
      return removed(device.device, at: now) + described(device, at: now)
    }
    if let former = formerPlaces[device.device], isLast(former, recorded) {
      return returned(device.device, to: former, keysDown: recorded.keysDown, at: now)
    }
    guard devices.count < RecordingLimit.devices else {
      isFull = true
      return []
    }
    places[device.device] = devices.count
    keysDown[devices.count] = recorded.keysDown
    devices.append(recorded)
    let lines = fitting(writer.lines(of: recorded))
    return recorded.isPresentAtStart ? lines : lines + line(.added(devices.count - 1), at: now)
  }

  /// Whether a line with the name of `device` would refer to `place`: it is the last description with this name, and
  /// describes the same device with its axes at the same positions.
  private func isLast(_ place: Int, _ device: RecordedDevice) -> Bool {
    devices.lastIndex { $0.name == device.name } == place && devices[place].isSameDevice(as: device)
      && devices[place].axes == device.axes
  }

  /// The lines for a device that is connected again and whose description has not changed.
  private mutating func returned(
    _ name: String, to place: Int, keysDown keys: Set<EvdevUsage>, at now: Instant
  ) -> [String] {
    formerPlaces[name] = nil
    places[name] = place
    keysDown[place] = keys
    let lines = line(.added(place), at: now)
    return keys == devices[place].keysDown
      ? lines : lines + line(.resynchronized(place, [], keysDown: keys), at: now)
  }

  private mutating func removed(_ name: String, at now: Instant) -> [String] {
    guard let place = places.removeValue(forKey: name) else { return [] }
    formerPlaces[name] = place
    keysDown[place] = nil
    return line(.removed(place), at: now)
  }

  /// The daemon's name of a device as a single word. Two devices never have the same word at the same time.
  private func word(for name: String) -> String {
    let scalars = name.unicodeScalars.prefix(48).map { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789._:-".unicodeScalars.contains(scalar))
        ? scalar : "_"
    }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    let word = text.isEmpty ? "device" : String(text)
    let taken = Set(places.filter { $0.key != name }.values.map { devices[$0].name })
    // Before the first frame, names of earlier devices cannot be reused either.
    let former = start == nil ? Set(devices.map(\.name)) : []
    let names = [word] + (2...(RecordingLimit.devices + 2)).map { "\(word)-\($0)" }
    let own = places[name].map { devices[$0].name }
    return own ?? names.first { !taken.contains($0) && !former.contains($0) } ?? word
  }

  // MARK: Frames

  private mutating func read(_ frame: DeviceInterface.Frame) -> [String] {
    guard let place = places[frame.device] else { return [] }
    let events = frame.knownEvents
    for event in events where event.usage.isKey {
      if event.value == 0 {
        keysDown[place]?.remove(event.usage)
      } else {
        keysDown[place]?.insert(event.usage)
      }
    }
    let entry: Recording.Event =
      frame.resynchronized
      ? .resynchronized(place, events, keysDown: keysDown[place] ?? []) : .frame(place, events)
    let lines = line(entry, at: frame.instant)
    frames += Int64(lines.count)
    return lines
  }

  // MARK: Lines

  /// Returns `lines` if they fit, otherwise none.
  private mutating func fitting(_ lines: [String]) -> [String] {
    bytes += lines.reduce(0) { $0 + $1.utf8.count + 1 }
    isFull = isFull || bytes > RecordingLimit.fileBytes - Self.endBytes
    return isFull ? [] : lines
  }

  private mutating func line(_ event: Recording.Event, at instant: Instant) -> [String] {
    entries += 1
    let isLate = start.map { instant.nanoseconds(since: $0) > RecordingLimit.time.nanoseconds } ?? false
    // The last entry is reserved for the end of the recording.
    isFull = isFull || isLate || entries >= RecordingLimit.frames
    return fitting([text(event, at: instant)])
  }

  private mutating func text(_ event: Recording.Event, at instant: Instant) -> String {
    let start = start ?? instant
    self.start = start
    return writer.line(
      Recording.Entry(Instant(nanoseconds: max(0, instant.nanoseconds(since: start))), event), devices)
  }
}
