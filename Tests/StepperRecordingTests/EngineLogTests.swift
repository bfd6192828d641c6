import StepperCommands
import StepperConfiguration
import StepperCore
import StepperText
import TestSupport
import Testing

/// What an engine was given is written and played again: the effects are the same, bit by bit.
@Suite struct EngineLogTests {
  @Test(arguments: Seed.fresh(20))
  func `a replay of any log has the same effects`(seed: Seed) throws {
    var run = try Run(seed: seed)
    run.play(600)
    run.log.end("the test is over")
    let replay = try Replay(run.log.takeBytes())
    #expect(replay.effects == run.effects)
    #expect(replay.differences == [])
    #expect(replay.player.comparedCount > 100)
    #expect(replay.player.hasEnd && replay.player.lostCount == 0)
  }

  @Test func `the first input may be another configuration`() throws {
    var run = try Run(seed: Seed.fresh(1)[0])
    run.configure(1)
    run.play(50)
    let replay = try Replay(run.log.takeBytes())
    #expect(replay.effects == run.effects && replay.differences == [])
  }

  @Test(arguments: Seed.fresh(5))
  func `an input that was left out of the log is found`(seed: Seed) throws {
    var run = try Run(seed: seed)
    run.play(300)
    var lines = String(decoding: run.log.takeBytes(), as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    // The changes that follow have other sequence numbers at least.
    let place = try #require(lines.firstIndex { $0.contains("publish") })
    lines.remove(at: place)
    #expect(try !Replay(Array(lines.joined(separator: "\n").utf8)).differences.isEmpty)
  }

  @Test(arguments: Seed.fresh(5))
  func `what does not fit is counted, and what follows is played on`(seed: Seed) throws {
    var run = try Run(seed: seed, bufferLimit: 2_000)
    run.play(100)
    var bytes = run.log.takeBytes()
    #expect(bytes.count < 20_000)
    run.play(100)
    bytes += run.log.takeBytes()
    run.log.end("over")
    bytes += run.log.takeBytes()
    let replay = try Replay(bytes)
    #expect(run.log.lostCount > 0)
    #expect(replay.player.lostCount == run.log.lostCount)
    #expect(replay.differences == [] && replay.player.hasEnd)
  }

  @Test func `a log ends at its limit, and says so`() throws {
    var run = try Run(seed: Seed.fresh(1)[0], fileLimit: 10_000)
    run.play(500)
    let bytes = run.log.takeBytes()
    #expect(run.log.hasEnded && bytes.count <= 10_000)
    let replay = try Replay(bytes)
    #expect(replay.end == "the file has reached its limit")
    #expect(replay.differences == [])
  }

  @Test func `a damaged log is refused with its line`() throws {
    var run = try Run(seed: Seed.fresh(1)[0])
    run.play(20)
    let text = String(decoding: run.log.takeBytes(), as: UTF8.self)
    let head = text.prefix { $0 != "|" }
    for (damaged, expected) in [
      ("stepperd-log 9\n", "the first line must be \"stepperd-log 1\""),
      ("stepperd-log 1\nx\n", "\"start TIME\""),
      ("\(head)| nonsense\n1ms set volume 5 ->\n", "the configuration above has errors"),
      ("stepperd-log 1\nstart 5ms\n1ms ->\n", "there is no configuration above"),
      (text + "1ms ->\n", "before that of the line above"),
      (text + "9999999ms jump ->\n", "there is no input \"jump\""),
      (text + "end \"x\"\n1ms ->\n", "nothing may follow"),
    ] {
      let error = try #require(throws: NotationError.self) { try Replay(Array(damaged.utf8)) }
      #expect(error.description.contains(expected), "\(error)")
    }
  }
}

/// An engine that is given random inputs and logs them.
private struct Run {
  var log: EngineLog
  var effects: [Effect] = []
  private var engine: Engine
  private var inputs: RandomInputs
  private let configurations: [EngineConfiguration]

  init(seed: Seed, bufferLimit: Int = 1 << 20, fileLimit: Int64 = 1 << 30) throws {
    inputs = RandomInputs(seed)
    configurations = try RandomInputs.texts.map { text in
      let (configuration, problems) = Configuration.load(
        Array(text.utf8), file: "test", codes: kernelCodes)
      let loaded = try #require(configuration, "\(problems)")
      return EngineConfiguration(
        controls: loaded.controls.map(\.settings), devices: loaded.devices.map(\.settings))
    }
    engine = Engine(configurations[0], at: Instant(nanoseconds: inputs.time))
    log = EngineLog(
      of: engine, Self.text(0), comment: "a\ntest", codes: kernelCodes, bufferLimit: bufferLimit,
      fileLimit: fileLimit)
  }

  private static func text(_ place: Int) -> EngineLog.NamedText {
    EngineLog.NamedText(name: "file \"\(place)\"", bytes: Array(RandomInputs.texts[place].utf8))
  }

  /// Replaces the configuration before any other input.
  mutating func configure(_ place: Int) {
    log.configure(Self.text(place))
    inputs.noteConfiguration()
    advance(to: Instant(nanoseconds: inputs.time), .configured(configurations[place]))
  }

  mutating func play(_ count: Int) {
    for _ in 0..<count {
      let (time, input, text) = inputs.next(configurations)
      if let text { log.configure(Self.text(text)) }
      advance(to: time, input)
    }
  }

  private mutating func advance(to time: Instant, _ input: Input?) {
    let new = engine.advance(to: time, applying: input)
    log.note(input, new[...], engine)
    effects += new
  }
}

/// A log that is played.
private struct Replay {
  var player = EngineLogReplay(codes: kernelCodes)
  var effects: [Effect] = []
  var differences: [String] = []
  var end: String?

  init(_ bytes: [UInt8]) throws {
    var readings: [EngineLogReplay.Reading] = []
    var lines = LineReader()
    var player = player
    let read = { (line: String) throws(NotationError) in
      if let reading = try player.read(line) { readings.append(reading) }
    }
    try lines.read(bytes, read)
    self.player = player
    for reading in readings {
      switch reading {
      case .step(let step):
        effects += step.step.effects
        if let difference = step.difference { differences.append(difference) }
      case .end(let reason): end = reason
      case .lost: break
      }
    }
  }
}
