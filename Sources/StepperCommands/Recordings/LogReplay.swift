internal import ArgumentParser
internal import StepperLinux
internal import StepperText
internal import Varlink

/// Plays a recording of `stepperd --record`, line by line.
struct LogReplay {
  private let file: String
  private let isCheck: Bool
  private let output: ReplayOutput
  private var lines = LineReader()
  private var replay = EngineLogReplay(codes: .kernel)
  private var differences: Int64 = 0

  /// The maximum number of differences that are printed.
  private static let mostPrinted: Int64 = 10

  init(_ command: ReplayCommand, file: String) throws(CommandFailure) {
    guard command.config == nil else {
      throw CommandFailure(
        "\(file) contains its configuration; --config is for recordings of 'stepperctl record'",
        code: .usage)
    }
    guard !command.real else {
      throw CommandFailure("--real plays recordings of 'stepperctl record' only", code: .usage)
    }
    self.file = file
    isCheck = command.check
    output = ReplayOutput(hasMoments: command.moments, isJSON: command.global.json)
  }

  /// Whether the first significant line is that of an engine log. Removes the empty lines and comments before that line
  /// from `bytes`, the beginning of a file. nil if there is no complete significant line yet.
  static func isBegun(by bytes: inout ArraySlice<UInt8>) -> Bool? {
    while let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
      let words = Words(OutsideText.shown(bytes[..<end].filter { $0 != UInt8(ascii: "\r") }))
      if let first = words.first, !first.hasPrefix("#") { return EngineLogReplay.isVersion(words) }
      bytes = bytes[(end + 1)...]
    }
    return nil
  }

  /// Plays the lines that `bytes` completes.
  mutating func read(_ bytes: [UInt8]) throws(CommandFailure) {
    var readings: [(line: Int, reading: EngineLogReplay.Reading)] = []
    var (lines, replay) = (lines, replay)
    var failure: CommandFailure?
    var number = lines.number
    do throws(NotationError) {
      try lines.read(bytes) { line throws(NotationError) in
        number += 1
        if let reading = try replay.read(line) { readings.append((number, reading)) }
      }
    } catch {
      let problem = RecordingProblem(file: file, line: max(lines.number, 1), error.description)
      failure = CommandFailure(problem.description)
    }
    (self.lines, self.replay) = (lines, replay)
    for (line, reading) in readings { show(reading, line) }
    if let failure { throw failure }
  }

  /// The message for `file` if its last line has no line end.
  static func cut(_ file: String) -> String { "the last line of \(file) is incomplete, and is left out" }

  /// Prints the result. Throws if any effects differ.
  mutating func finish() throws(CommandFailure) {
    if lines.isCut { Output.error(Self.cut(file)) }
    if !replay.hasEnd {
      Output.error(
        "\(file) has no last line \"end\": the daemon still writes it, was killed, or could not write it")
    }
    guard isCheck else { return }
    let count = "\(replay.comparedCount) lines compared"
    let loss =
      replay.lostCount > 0
      ? "; \(replay.lostCount) inputs are missing, and the lines after them are not compared" : ""
    guard differences == 0 else {
      throw CommandFailure("\(count), \(differences) differ\(loss)")
    }
    if !output.isJSON { Output.line("\(count), none differs\(loss)") }
  }

  private mutating func show(_ reading: EngineLogReplay.Reading, _ line: Int) {
    switch reading {
    case .step(let step):
      if !isCheck { output.write(.step(step.step)) }
      guard let difference = step.difference else { return }
      differences += 1
      guard isCheck, differences <= Self.mostPrinted else { return }
      let now = EffectText(step.step.names, namesAll: true).text(step.step.effects)
      output.difference(step.step, recorded: difference, now: now, at: (file, line))
    case .lost(let count):
      if !isCheck { output.note("\(count) inputs are missing here", at: replay.time) }
    case .end(let reason):
      if !isCheck { output.note("the recording ends: \(reason)", at: replay.time) }
    }
  }
}
