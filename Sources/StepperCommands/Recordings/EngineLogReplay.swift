import StepperConfiguration
package import StepperCore
package import StepperText

/// Plays an engine log line by line, and compares the effects with those in the log.
package struct EngineLogReplay {
  /// An input of the log, or a wakeup, with the effects of the replay.
  package struct Step: Hashable, Sendable {
    package var step: VirtualTime.Step
    /// The effects in the log, in the notation, if they differ from those of the replay.
    package var difference: String?
  }

  /// The meaning of a line of the log.
  package enum Reading: Hashable, Sendable {
    case step(Step)
    /// The number of inputs that are missing here; the rest cannot be compared.
    case lost(Int64)
    /// The log ends for this reason.
    case end(String)
  }

  /// The number of lines that were compared.
  package private(set) var comparedCount: Int64 = 0
  /// The number of inputs that are missing because the disk was too slow.
  package private(set) var lostCount: Int64 = 0
  /// The time of the last input since the start.
  package private(set) var time = Instant.milliseconds(0)
  /// Whether the log has its last line, which is missing if the daemon was killed.
  package private(set) var hasEnd = false

  private let codes: CodeNames
  private var stage = Stage.version
  private var start = Instant.milliseconds(0)
  /// The number of the last change before the first configuration.
  private var sequence: Int64 = 0
  private var player: VirtualTime?
  private var parser: InputParser?
  /// The current configuration, possibly incomplete.
  private var configuration: EngineLog.NamedText?
  private var isReadingConfiguration = false

  private enum Stage { case version, start, lines }

  package init(codes: CodeNames) { self.codes = codes }

  /// Whether a file that begins with this line is an engine log.
  package static func isVersion(_ line: Words) -> Bool { line.isExactly(EngineLog.version) }

  /// Reads one line; nil if it has no input, such as a comment.
  package mutating func read(_ line: String) throws(NotationError) -> Reading? {
    if isReadingConfiguration, line.utf8.first == UInt8(ascii: "|") {
      // The line consists of "| " and a line of the configuration.
      if configuration?.bytes.isEmpty == false { configuration?.bytes.append(UInt8(ascii: "\n")) }
      configuration?.bytes += Array(line.utf8.dropFirst(2))
      guard configuration.map({ $0.bytes.count <= RecordingLimit.lineBytes }) ?? true else {
        throw NotationError("the configuration is longer than \(RecordingLimit.lineBytes) bytes")
      }
      return nil
    }
    var words = Words(line)
    guard let first = words.first, !first.hasPrefix("#") else { return nil }
    guard !hasEnd else { throw NotationError("nothing may follow the line \"end\"") }
    switch stage {
    case .version:
      guard Self.isVersion(words) else {
        throw NotationError(
          "the first line must be \"\(EngineLog.version)\", found \(NotationError.quoted(line))")
      }
      stage = .start
      return nil
    case .start:
      guard words.take("start") else { throw NotationError("the second line must be \"start TIME\"") }
      start = try TimeText.read(try words.next("a time"))
      // Logs of version 0.1.0 have no number; their changes begin with 1.
      if !words.isEmpty { sequence = Int64(try words.integer("number of a change", as: UInt32.self)) }
      try words.end()
      stage = .lines
      return nil
    case .lines: return try readLine(line, &words)
    }
  }

  private mutating func readLine(_ line: String, _ words: inout Words) throws(NotationError) -> Reading? {
    isReadingConfiguration = false
    if words.take("configuration") {
      // The first input may be another configuration.
      try begin()
      var rest = Substring(line.unicodeScalars.drop { $0 != "\"" })
      configuration = EngineLog.NamedText(name: try QuotedText.read(from: &rest), bytes: [])
      isReadingConfiguration = true
      return nil
    }
    if words.take("lost") {
      let count: Int64 = try words.integer("number of inputs")
      lostCount = lostCount.addingSaturating(count)
      return .lost(count)
    }
    if words.take("end") {
      var rest = Substring(line.unicodeScalars.drop { $0 != "\"" })
      hasEnd = true
      return .end(try QuotedText.read(from: &rest))
    }
    return .step(try step(&words))
  }

  // MARK: Inputs

  private mutating func step(_ words: inout Words) throws(NotationError) -> Step {
    let offset = try TimeText.read(try words.next("a time"))
    let instant = start + .nanoseconds(offset.nanoseconds)
    var inputWords = words.all(before: "->")
    let expected = words.all()
    try begin()
    guard var player, let configuration else { throw NotationError("there is no configuration above") }
    guard instant >= player.engine.now else {
      throw NotationError("the time is before that of the line above")
    }
    let text = inputWords.all().joined(separator: " ")
    var input: Input?
    if !text.isEmpty {
      let codes = codes
      input = try parser?.input(Words(text)) { words throws(NotationError) in
        try Self.load(configuration, codes)
      }
    }
    var effects: [Effect] = []
    self.player = nil
    defer { self.player = player }
    try player.wake(until: instant) { effects += $0.effects }
    var step = player.step(instant, text, input)
    step.effects = effects + step.effects
    step.time = offset
    time = offset
    return Step(step: step, difference: compare(step, with: expected))
  }

  /// The effects in the log, if they differ from those of `step`.
  private mutating func compare(_ step: VirtualTime.Step, with expected: ArraySlice<Substring>) -> String? {
    guard lostCount == 0, let mark = expected.last, mark.hasPrefix("#") else { return nil }
    comparedCount += 1
    guard !mark.dropFirst().isExactly(EffectDigest.text(step.effects[...])) else { return nil }
    return expected.dropLast().joined(separator: " ")
  }

  /// Makes the engine with the first configuration.
  private mutating func begin() throws(NotationError) {
    guard player == nil, let configuration else { return }
    let engine = try Self.load(configuration, codes)
    player = VirtualTime(engine, sequence: sequence, at: start)
    parser = InputParser(engine, codes: codes)
  }

  private static func load(
    _ text: EngineLog.NamedText, _ codes: CodeNames
  ) throws(NotationError) -> EngineConfiguration {
    let (configuration, problems) = Configuration.load(
      text.bytes, file: text.name.onOneLine(), codes: codes)
    guard let configuration else {
      let problem = problems.first { $0.severity == .error }.map { "\($0)" } ?? ""
      throw NotationError("the configuration above has errors: \(problem)")
    }
    return EngineConfiguration(configuration)
  }
}
