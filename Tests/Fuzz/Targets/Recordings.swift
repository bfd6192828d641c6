import StepperCommands
import StepperConfiguration
import StepperCore
import StepperLinux
import StepperText

extension FuzzTarget {
  /// A recording of devices or of the engine, as anybody's bug report has it.
  static let recordings = FuzzTarget("recordings", upTo: 4_096, within: .seconds(10)) { input in
    try checkRecording(input)
    try checkLog(input)
  }

  private typealias DeviceRecording = StepperText.Recording

  private static let codes = CodeNames.kernel

  /// Refused with its place, or the same when it is written and read again; and it can be played.
  private static func checkRecording(_ input: [UInt8]) throws {
    var recording: DeviceRecording
    do throws(RecordingProblem) {
      recording = try DeviceRecording.read(input, file: "recording", codes: codes)
    } catch {
      try require(error.line.map { $0 > 0 } ?? true, "line \(error.line ?? 0) is none")
      return try checkMessage(error.description)
    }
    recording.isCut = false
    let lines = RecordingWriter.lines(of: recording, codes: codes)
    for line in lines { try checkMessage(line) }
    let again = try DeviceRecording.read(
      Array(lines.map { "\($0)\n" }.joined().utf8), file: "recording", codes: codes)
    try require(again == recording, "it is another recording when it is written and read again")
    var map = VirtualInputMap(recording)
    for entry in recording.entries {
      for case .slide(let position) in map.moves(of: entry.event) {
        try require((0...1).contains(position), "a fader is moved to \(position)")
      }
    }
    try play(recording)
  }

  private static func play(_ recording: DeviceRecording) throws {
    var recording = recording
    // A button that is held for a month repeats half a million times.
    recording.entries = Array(recording.entries.prefix { $0.time < .milliseconds(60_000) })
    let (configuration, _) = Configuration.load(
      Array(Configuration.embeddedText.utf8), file: "default", codes: codes)
    guard let configuration else { throw Finding("the built-in configuration has errors") }
    var last = Instant.milliseconds(0)
    try RecordingReplay(recording, configuration, codes: codes).play { line in
      if case .step(let step) = line { last = max(last, step.time) }
    }
    try require(last < .milliseconds(62_000), "it is played beyond its end")
  }

  /// Refused with a reason, or played.
  private static func checkLog(_ input: [UInt8]) throws {
    var lines = LineReader()
    var replay = EngineLogReplay(codes: codes)
    var count = 0
    let read = { (line: String) throws(NotationError) in
      guard case .step(let step) = try replay.read(line) else { return }
      count += step.step.effects.count
      // As above.
      guard count < 100_000, replay.time < .milliseconds(3_600_000) else { throw NotationError("enough") }
    }
    do throws(NotationError) {
      try lines.read(input, read)
    } catch {
      try checkMessage(error.description)
    }
  }

  private static func checkMessage(_ message: String) throws {
    try require(
      !message.isEmpty && message.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{202e}" },
      "it is not one line: \(message.debugDescription)")
  }
}
