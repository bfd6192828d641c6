import StepperCore
internal import Varlink

/// Reads a recording line by line. The format is documented in recordings.md.
struct RecordingReader {
  private(set) var recording = Recording()
  private let codes: CodeNames
  private var hasVersion = false
  private var frames = 0
  /// The indices of the devices by name. A later device with the same name replaces the earlier entry.
  private var places: [String: Int] = [:]
  /// Whether the last lines describe a device.
  private var isInDevice = false
  private var end = false

  /// The first line.
  static let version = "stepperd-recording 1"

  init(codes: CodeNames) { self.codes = codes }

  mutating func read(_ line: String) throws(NotationError) {
    var words = Words(line)
    guard let first = words.first, !first.hasPrefix("#") else { return }
    guard hasVersion else { return try readVersion(line) }
    guard !end else { throw NotationError("nothing may follow the line \"end\"") }
    if words.take("device") {
      try describe(&words)
    } else if first.first?.isNumber ?? false {
      isInDevice = false
      try readEntry(&words)
    } else if isInDevice, let last = recording.devices.indices.last {
      try DeviceLine(codes: codes).read(line[...], into: &recording.devices[last])
    } else {
      throw NotationError(
        "\(NotationError.quoted(first)) is not expected here; a line begins with \"device\" or with a time, as 12.5ms"
      )
    }
  }

  /// Throws if there is no first line. `isCut`: the last line of the file has no line end, and was not read.
  func finish(isCut: Bool) throws(NotationError) {
    guard !hasVersion else { return }
    throw NotationError(
      isCut
        ? "there is no line \"\(Self.version)\" before the last line, which has no line end"
        : "it is empty; the first line must be \"\(Self.version)\"")
  }

  private mutating func readVersion(_ line: String) throws(NotationError) {
    guard Words(line).isExactly(Self.version) else {
      throw NotationError(
        "the first line must be \"\(Self.version)\" or \"\(EngineLog.version)\", found \(NotationError.quoted(line))"
      )
    }
    hasVersion = true
  }

  // MARK: Devices

  private mutating func describe(_ words: inout Words) throws(NotationError) {
    let name = String(try words.next("the name of the device"))
    try words.end()
    guard RecordedDevice.isName(name) else {
      throw NotationError(
        "\(NotationError.quoted(name)) is no name of a device; it has letters, digits and . _ : -, 64 at most"
      )
    }
    guard recording.devices.count < RecordingLimit.devices else {
      throw NotationError("there are more than \(RecordingLimit.devices) devices, the most that is allowed")
    }
    var device = RecordedDevice(name: name)
    device.isPresentAtStart = recording.entries.isEmpty
    guard places[name] == nil || !device.isPresentAtStart else {
      throw NotationError("there is a device \(NotationError.quoted(name)) already")
    }
    places[name] = recording.devices.count
    recording.devices.append(device)
    isInDevice = true
  }

  // MARK: Entries

  private mutating func readEntry(_ words: inout Words) throws(NotationError) {
    let time = try TimeText.read(try words.next("a time"))
    let former = recording.entries.last?.time ?? .milliseconds(0)
    guard time >= former else {
      throw NotationError(
        "\(TimeText.text(time)) is before \(TimeText.text(former)), the time of the line above; times only grow"
      )
    }
    guard time <= RecordingLimit.time else {
      throw NotationError("a recording lasts at most \(TimeText.text(RecordingLimit.time))")
    }
    guard frames < RecordingLimit.frames else {
      throw NotationError("there are more than \(RecordingLimit.frames) frames, the most that is allowed")
    }
    frames += 1
    recording.entries.append(Recording.Entry(time, try event(&words)))
    try words.end()
  }

  private mutating func event(_ words: inout Words) throws(NotationError) -> Recording.Event {
    let verb = try words.next("what happened")
    switch verb {
    case "frame": return .frame(try place(&words), try codes.events(words.all()))
    case "resync":
      let place = try place(&words)
      let (events, keysDown) = try codes.resynchronization(&words)
      return .resynchronized(place, events, keysDown: keysDown)
    case "add": return .added(try place(&words))
    case "remove": return .removed(try place(&words))
    case "lost":
      let count: Int64 = try words.integer("number of frames")
      guard count > 0 else { throw NotationError("the number of lost frames must be more than 0") }
      return .lost(count)
    case "end":
      end = true
      return .end
    default:
      throw NotationError(
        "there is no event \(NotationError.quoted(verb)) in a recording; there are frame, resync, add, remove, "
          + "lost and end")
    }
  }

  private func place(_ words: inout Words) throws(NotationError) -> Int {
    let name = try words.next("a device")
    guard let place = places[String(name)], recording.devices[place].name.isExactly(name) else {
      throw NotationError(
        "no device \(NotationError.quoted(name)) is described above; a line \"device NAME\" does")
    }
    return place
  }
}

extension RecordedDevice {
  static func isName(_ text: some StringProtocol) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { $0.isNameByte || ".:".utf8.contains($0) }
  }
}

extension Recording {
  /// Reads a whole file. Messages call the file `file`.
  package static func read(
    _ bytes: [UInt8], file: String, codes: CodeNames
  ) throws(RecordingProblem) -> Recording {
    guard bytes.count <= RecordingLimit.fileBytes else {
      throw RecordingProblem(
        file: file, "it is longer than \(RecordingLimit.fileBytes) bytes, the most that is allowed")
    }
    var lines = LineReader()
    var reader = RecordingReader(codes: codes)
    do throws(NotationError) {
      try lines.read(bytes) { line throws(NotationError) in try reader.read(line) }
      try reader.finish(isCut: lines.isCut)
    } catch {
      throw RecordingProblem(file: file, line: max(lines.number, 1), error.description)
    }
    var recording = reader.recording
    recording.isCut = lines.isCut
    return recording
  }
}
