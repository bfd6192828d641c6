internal import StepperClient
internal import StepperCore
internal import StepperLinux
internal import StepperText

/// Makes the lines of a recording from replies of the daemon.
struct RecordingSession {
  private(set) var devices: [RecordedDevice] = []
  private(set) var frames: Int64 = 0
  private(set) var lost: Int64 = 0
  private var writer = RecordingWriter(.kernel)
  /// Whether keyboards, mice and other devices of general purpose are recorded.
  private let recordsKeyboards: Bool
  /// The places of connected devices in ``devices``, by the daemon's name.
  private var places: [String: Int] = [:]
  /// The keys that are down, by place.
  private var keysDown: [Int: Set<EvdevUsage>] = [:]
  /// The time of the first frame, on the daemon's clock.
  private var start: Instant?
  /// Whether what has come does not fit into a file that can be played.
  private(set) var isFull = false
  private var bytes = 0
  private var entries = 0
  /// Room for the last line.
  private static let endBytes = 64

  init(keyboards: Bool) { recordsKeyboards = keyboards }

  /// The beginning of the file.
  mutating func head(_ comments: [String]) -> [String] { fitting(writer.head(comments)) }

  /// A note of a time without a connection, in which events are missing.
  mutating func gap() -> [String] {
    fitting(["# The connection to the daemon was lost here; events are missing."])
  }

  /// The lines of a reply that was received at `now`, on the daemon's clock.
  mutating func lines(of reply: DeviceInterface.Monitor.Reply, at now: Instant) -> [String] {
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
  mutating func end(at now: Instant) -> String { text(.end, at: now) }

  // MARK: Devices

  private mutating func described(_ device: DeviceInterface.MonitoredDevice, at now: Instant) -> [String] {
    guard recordsKeyboards || !device.generalPurpose else { return [] }
    var recorded = RecordedDevice(device, name: word(for: device.device))
    recorded.isPresentAtStart = start == nil
    if let former = places[device.device] {
      // The same device, with other keys down or with a problem. Keys may have moved while the connection was lost.
      if devices[former].isSameDevice(as: recorded) {
        guard keysDown.updateValue(recorded.keysDown, forKey: former) != recorded.keysDown else { return [] }
        return line(.resynchronized(former, [], keysDown: recorded.keysDown), at: now)
      }
      return removed(device.device, at: now) + described(device, at: now)
    }
    guard devices.count < RecordingLimit.devices else { return [] }
    places[device.device] = devices.count
    keysDown[devices.count] = recorded.keysDown
    devices.append(recorded)
    let lines = fitting(writer.lines(of: recorded))
    return recorded.isPresentAtStart ? lines : lines + line(.added(devices.count - 1), at: now)
  }

  private mutating func removed(_ name: String, at now: Instant) -> [String] {
    guard let place = places.removeValue(forKey: name) else { return [] }
    keysDown[place] = nil
    return line(.removed(place), at: now)
  }

  /// The daemon's name of a device as a word, which two devices never share at the same time.
  private func word(for name: String) -> String {
    let scalars = name.unicodeScalars.prefix(48).map { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789._:-".unicodeScalars.contains(scalar))
        ? scalar : "_"
    }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    let word = text.isEmpty ? "device" : String(text)
    let taken = Set(places.filter { $0.key != name }.values.map { devices[$0].name })
    // A device that was there before the first frame cannot have the name of another one either.
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

  /// `lines`, if they fit.
  private mutating func fitting(_ lines: [String]) -> [String] {
    bytes += lines.reduce(0) { $0 + $1.utf8.count + 1 }
    isFull = isFull || bytes > RecordingLimit.fileBytes - Self.endBytes
    return isFull ? [] : lines
  }

  private mutating func line(_ event: Recording.Event, at instant: Instant) -> [String] {
    entries += 1
    // The end is one, too.
    isFull = isFull || entries >= RecordingLimit.frames
    return fitting([text(event, at: instant)])
  }

  private mutating func text(_ event: Recording.Event, at instant: Instant) -> String {
    let start = start ?? instant
    self.start = start
    return writer.line(
      Recording.Entry(Instant(nanoseconds: max(0, instant.nanoseconds(since: start))), event), devices)
  }
}
