import FoundationEssentials
import FuzzTargets
import StepperInterfaces
import Synchronization
import TestSupport
import Testing
import Varlink

@testable import StepperCommands

/// A daemon whose replies are any that the descriptions of the interfaces allow.
@Suite(.timeLimit(.minutes(10))) struct HostileReplyTests {
  /// What each command is called with; those that talk to no daemon have none.
  private static let arguments: [String: [String]] = [
    "list": [], "get": ["volume"], "set": ["volume", "50"], "toggle": ["volume"], "step": ["volume", "1"],
    "reset": ["volume"], "hold": ["volume", "increment", "--for", "10ms"],
    "adjust": ["volume", "--maximum", "9"],
    "watch": [], "speak": [], "devices": [], "turn": ["panel:dial", "1"],
    "press": ["panel:plus", "--for", "10ms"],
    "release": ["panel:plus"], "click": ["panel:plus"], "move": ["panel:fader", "10%"], "monitor": ["--raw"],
    "record": ["-", "--for", "50ms"], "status": [], "metrics": [], "reload": [],
    "feedback watch": [], "feedback play": ["panel", "light"], "feedback test": ["panel"],
  ]
  /// What asks a person at a terminal, or looks at the machine, or at files alone; their replies are those of the others.
  private static let others: Set<String> = [
    "learn", "replay", "profile list", "profile show", "try", "doctor", "check",
  ]

  /// What the program says of its commands.
  private struct Description: Decodable {
    var command: Command

    struct Command: Decodable {
      var commandName: String
      var subcommands: [Command]?

      /// The words of each command without subcommands.
      func all(behind words: [String] = []) -> [String] {
        guard let subcommands, !subcommands.isEmpty else { return [words.joined(separator: " ")] }
        return subcommands.flatMap { $0.all(behind: words + [$0.commandName]) }
      }
    }
  }

  @Test func `are those of every command`() async throws {
    let run = try await Program.run(["--experimental-dump-help"])
    let all = try JSONDecoder().decode(Description.self, from: Data(run.output.utf8)).command.all()
    let known = Set(Self.arguments.keys).union(Self.others)
    let mine = all.filter { !$0.hasPrefix("help") }
    #expect(Set(mine).subtracting(known) == [], "a new command needs a line here")
    #expect(Set(Self.arguments.keys).subtracting(mine) == [], "there is no such command")
  }

  @Test(arguments: arguments.keys.sorted(), Seed.fresh(3))
  func `end no command but with a status of its own`(_ command: String, _ seed: Seed) async throws {
    for isJSON in [false, true] {
      let daemon = try Self.daemon(seed)
      let words = command.split(separator: " ").map(String.init) + (Self.arguments[command] ?? [])
      let run = try await Program.run(
        words + (isJSON ? ["--json"] : []) + ["--timeout", "5s"],
        environment: ["STEPPERD_ADDRESS": daemon.path])
      #expect(run.status < 128, "\(words) ended by signal \(run.status - 128): \(run.errors.suffix(2_000))")
      #expect(run.errors.isEmpty == (run.status == 0) || run.status == 0, "a failure is explained")
    }
  }

  /// It answers some calls with anything, and refuses those after them.
  private static func daemon(_ seed: Seed) throws -> AnsweringPeer {
    let count = Counter()
    return try AnsweringPeer { call in
      let refusal = VarlinkReply(VarlinkFailure(ServiceInterface.PermissionDenied()))
      let number = count.next()
      guard number <= 6 else { return [refusal] }
      var generator = SeededGenerator(seed)
      for _ in 0..<number { _ = generator.next() }
      var replies = RandomReplies((0..<4_000).map { _ in UInt8.random(in: 0...255, using: &generator) })
      guard call.mode == .more else { return [replies.reply(to: call.method)] }
      var sent = (0..<4).map { _ in replies.reply(to: call.method, continues: true) }
      // An error is the last one.
      if let end = sent.firstIndex(where: { $0.error != nil }) { sent.removeSubrange((end + 1)...) }
      return sent.last?.error == nil ? sent + [refusal] : sent
    }
  }

  // MARK: What was found

  private static func frame(_ time: Int64) -> DeviceInterface.Frame {
    .init(
      device: "knob", monotonicMicroseconds: time, resynchronized: false,
      events: [.init(code: "REL_DIAL", value: 1)], consequences: [])
  }

  private static func reply(_ times: Int64...) -> DeviceInterface.Monitor.Reply {
    .init(devices: [], removed: [], frames: times.map(frame), dropped: .max)
  }

  @Test func `with times before zero are shown`() {
    var view = MonitorView(isRaw: true, isJSON: false, includesKeyboards: false)
    let lines = view.lines(of: Self.reply(-1, .min, .max))
    let shown = lines.compactMap { if case .output(let text) = $0 { text } else { nil } }
    #expect(shown.contains { $0.contains(" -0.000001 ") })
    #expect(shown.contains { $0.contains(" -9223372036854.775808 ") })
    #expect(shown.contains { $0.contains(" 9223372036854.775807 ") })
  }

  @Test func `with times that lie far apart, or run backwards, are shown`() {
    var view = MonitorView(isRaw: false, isJSON: false, includesKeyboards: false)
    let lines = view.lines(of: Self.reply(.min, .max, .min))
    let shown = lines.compactMap { if case .output(let text) = $0 { text } else { nil } }
    #expect(shown.contains { $0.contains(" +153722867280 min ") })
    #expect(shown.last?.contains(" +0.0 ms ") == true)
  }

  @Test func `with a long text do not make the lines beside it as long`() {
    var columns = RunningColumns()
    _ = columns.line([String(repeating: "x", count: 1 << 20), "a"])
    #expect(columns.line(["b", "c"]).utf8.count < 2_000)
  }
}

/// Counts calls of several threads.
private final class Counter: Sendable {
  private let count = Mutex(0)

  func next() -> Int {
    count.withLock {
      $0 += 1
      return $0
    }
  }
}
