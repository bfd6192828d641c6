import StepperBridge
import StepperClient
import StepperConfiguration
import StepperCore
import StepperInterfaces
import StepperText
import Testing

@testable import stepperd_link

/// The state machine of a link, in virtual time.
@Suite struct LinkMachineTests {
  private struct Bench {
    var machine: LinkMachine
    var now = Instant.milliseconds(0)
    var log: [String] = []
    private var write: BridgeMachine.ControlWrite?
    private var sent: [UInt8] = []

    init(_ target: LinkTarget, _ rules: BridgeRules = BridgeRules(rate: 1_000)) {
      machine = LinkMachine("own", OutsideProgram(target, .value, .raw), control: "volume", rules: rules)
      advance()
    }

    /// Applies an input, and performs everything that is due until `seconds` later.
    mutating func advance(_ input: LinkMachine.Input? = nil, then seconds: Double = 0) {
      note(machine.advance(to: now, applying: input))
      let end = now + .seconds(seconds)
      while let deadline = machine.deadline, deadline <= end {
        now = max(now, deadline)
        note(machine.advance(to: now))
        if log.suffix(2).contains("kill") {
          note(machine.advance(to: now, applying: .ended("has ended by signal 9")))
        }
      }
      now = end
    }

    private mutating func note(_ effects: [LinkMachine.Effect]) {
      for effect in effects {
        switch effect {
        case .start:
          log.append("start")
          sent = []
        case .send(let bytes): sent += bytes
        case .kill: log.append("kill")
        case .note(let text): log.append("note \(text)")
        case .bridge(.report(let report)): log.append("report \(report)")
        case .bridge(.set(let write)):
          log.append("set \(write.value)")
          self.write = write
        case .bridge: break
        }
      }
    }

    /// The program writes lines.
    mutating func read(_ lines: String) { advance(.read(Array("\(lines)\n".utf8))) }

    /// The program reads what was written to it.
    mutating func written() -> String {
      defer {
        sent = []
        advance(.accepted)
      }
      return unread
    }

    /// What was written to the program and is not read yet.
    var unread: String { String(decoding: sent, as: UTF8.self) }

    private func state(_ value: Double, _ sequence: Int64) -> ControlInterface.State {
      ControlInterface.State(
        control: "volume", value: value, limit: .none, origin: .client, live: true, turned: 0, presses: 0,
        pressed: false, editing: false, canIncrement: true, canDecrement: true, sequence: sequence,
        monotonicMicroseconds: 0)
    }

    /// The daemon has done the last write.
    mutating func answer(_ sequence: Int64) throws {
      let write = try #require(write)
      advance(.bridge(.answered(write, .success(state(write.value, sequence)))))
    }

    /// The daemon has the control at `value`.
    mutating func control(at value: Double, _ sequence: Int64, isFirst: Bool = false, maximum: Double = 100) {
      let description = ControlInterface.Description(
        control: "volume", kind: .continuous, profile: "uikit", minimum: 0, maximum: maximum, digits: 0,
        format: .init(), wrap: false, writable: true)
      advance(
        .bridge(
          .replied(
            ControlInterface.Subscribe.Reply(
              snapshot: isFirst, instance: "1", sequence: sequence, coalesced: 0,
              states: [state(value, sequence)],
              descriptions: isFirst ? [description] : nil))))
    }

    mutating func takeLog() -> [String] {
      defer { log = [] }
      return log
    }
  }

  private static let mixer = LinkTarget.alsa(card: "card", element: "Master")
  private static let command = LinkTarget.command(["/bin/own"])

  @Test func `a library that does not answer is killed, and tried again after growing pauses`() {
    var bench = Bench(Self.mixer)
    #expect(bench.takeLog() == ["start"])
    bench.advance(then: 11.9)
    #expect(bench.takeLog() == [])
    bench.advance(then: 0.2)
    #expect(
      bench.takeLog() == ["kill", "report the outside is disconnected: the mixer of card does not answer"])
    var starts: [Duration] = []
    var last = bench.now
    for _ in 0..<9 {
      while bench.takeLog() != ["start"] { bench.advance(then: 0.05) }
      starts.append(bench.now - last)
      bench.advance(.ended("has ended with exit status 1"))
      last = bench.now
      _ = bench.takeLog()
    }
    #expect(starts.last.map { $0 > .seconds(15) && $0 < .seconds(31) } == true, "\(starts)")
    #expect(starts == starts.sorted())
  }

  @Test func `one that hangs at a write is killed with it, and begins again when it is back`() throws {
    var bench = Bench(Self.mixer)
    bench.control(at: 20, 1, isFirst: true)
    bench.read("terms 0 1 0 0 0.5 1\nvalue 1")
    #expect(bench.takeLog() == ["start", "set 100.0", "report connected"])
    try bench.answer(2)
    bench.control(at: 50, 3)
    #expect(bench.written() == "value 0.5\n")
    // It was read, and is not done.
    bench.advance(then: 12.5)
    #expect(bench.takeLog().contains("report the outside is disconnected: the mixer of card does not answer"))
    while bench.takeLog() != ["start"] { bench.advance(then: 0.05) }
    #expect(bench.unread.isEmpty, "what was on its way is not sent again")
    bench.read("terms 0 1 0 0 0.5 1\nvalue 1")
    #expect(bench.takeLog() == ["set 100.0", "report connected"])
  }

  @Test func `there is one write at a time, and the newest value follows`() {
    var bench = Bench(Self.mixer)
    bench.control(at: 50, 1, isFirst: true)
    bench.read("terms 0 1 0\nvalue 0.5")
    for value in 51...59 { bench.control(at: Double(value), Int64(value)) }
    #expect(bench.written() == "value 0.51\n")
    #expect(bench.written() == "")
    bench.read("done\nvalue 0.51")
    bench.advance(then: 0.1)
    #expect(bench.written() == "value 0.59\n")
  }

  @Test func `a coprocess that does not read, floods, or says why is ended`() {
    var bench = Bench(Self.command)
    bench.control(at: 50, 1, isFirst: true)
    bench.advance(.loaded)
    bench.read("value 50")
    bench.control(at: 60, 2)
    #expect(bench.unread == "value 60\n")
    _ = bench.takeLog()
    bench.advance(then: 5.1)
    #expect(
      bench.takeLog().contains(
        "report the outside is disconnected: /bin/own does not read its input; it is restarted"))
    while bench.takeLog() != ["start"] { bench.advance(then: 0.05) }
    bench.advance(.loaded)
    bench.read(Array(repeating: "value 1\nvalue 99", count: 1_100).joined(separator: "\n"))
    #expect(
      bench.takeLog().contains(
        "report the outside is disconnected: /bin/own writes more than 2000 lines a second; it is restarted"))
    bench.advance(.ended("has ended by signal 9"))
    while bench.takeLog() != ["start"] { bench.advance(then: 0.05) }
    bench.advance(.loaded)
    bench.read("away\nterms 0 1 0\nfailed no such amplifier")
    let log = bench.takeLog()
    #expect(
      log.contains("report the outside is disconnected: no such amplifier") && log.contains("kill"), "\(log)")
    #expect(log.count { $0.hasPrefix("note /bin/own wrote") } == 1, "\(log)")
  }

  @Test func `a range that changes during a write leaves the newest value`() {
    var bench = Bench(Self.mixer)
    bench.control(at: 50, 1, isFirst: true)
    bench.read("terms 0 1 0\nvalue 0.5")
    bench.control(at: 40, 2)
    #expect(bench.unread == "value 0.4\n")
    bench.control(at: 40, 3, isFirst: true, maximum: 80)
    bench.control(at: 60, 4)
    bench.control(at: 72, 5)
    bench.advance(then: 1)
    var last = bench.written()
    for _ in 0..<4 {
      bench.read("done")
      bench.advance(then: 1)
      let next = bench.written()
      if !next.isEmpty { last = next }
    }
    #expect(last == "value 0.9\n")
  }

  @Test func `a coprocess is told the end of a range that becomes smaller, and is not lowered by another`() {
    var bench = Bench(Self.command, BridgeRules(startAtMost: 40, rate: 1_000))
    bench.control(at: 20, 1, isFirst: true)
    bench.advance(.loaded)
    bench.read("value 20")
    bench.control(at: 80, 2)
    #expect(bench.written() == "value 80\n")
    bench.advance(then: 5)
    bench.control(at: 80, 3, isFirst: true, maximum: 99)
    bench.advance(then: 5)
    #expect(bench.written() == "" && !bench.log.contains { $0.hasPrefix("set") })
    bench.control(at: 50, 4, isFirst: true, maximum: 50)
    #expect(bench.written() == "value 50\n")
  }

  @Test func `a coprocess that cannot be loaded was never connected`() {
    var bench = Bench(Self.command)
    bench.control(at: 50, 1, isFirst: true)
    bench.read("failed /bin/own is not a program")
    bench.advance(.ended("has ended with exit status 1"))
    #expect(
      bench.takeLog() == [
        "start", "kill", "report the outside is disconnected: /bin/own is not a program",
      ])
  }

  @Test func `what waits for its time is written at the end`() {
    var bench = Bench(Self.command, BridgeRules(rate: 1))
    bench.control(at: 50, 1, isFirst: true)
    bench.advance(.loaded)
    bench.read("value 50")
    bench.control(at: 60, 2)
    #expect(bench.written() == "value 60\n")
    bench.control(at: 74, 3)
    #expect(bench.unread == "" && bench.machine.isWriting)
    bench.advance(.bridge(.end))
    #expect(bench.unread == "value 74\n" && bench.machine.isWriting)
    _ = bench.written()
    #expect(!bench.machine.isWriting)
  }

  @Test func `lines without a meaning are a flood, too`() {
    for line in ["", "# nothing"] {
      var bench = Bench(Self.command)
      bench.advance(.loaded)
      bench.read(Array(repeating: line, count: 2_100).joined(separator: "\n"))
      #expect(bench.log.contains("kill"))
    }
  }

  @Test func `numbers are decimal`() {
    #expect(OutsideLine("value 1.6e1") == .value(16))
    for (line, shown) in [("value 0x10", "value 0x10"), ("value\0 2", #"value\x00 2"#)] {
      #expect(OutsideLine(line) == .unknown("the line \"\(shown)\", which is not \"value NUMBER\""))
    }
  }

  @Test func `lines come back as they went`() {
    let terms = BridgeTerms(range: -.infinity ... .infinity, rounding: 1 / 3, grid: [0, 0.1, 1e300])
    for line: OutsideLine in [
      .value(-0.1), .value(1e20), .terms(terms), .away("no sink"), .failed("a\nvalue 3"), .done,
    ] {
      var splitter = LineSplitter(mostBytes: 1_000)
      let back = splitter.take(line.bytes).compactMap { OutsideLine($0, mostBytes: 1_000) }
      #expect(back.count == 1)
      if case .failed = line { continue }
      #expect(back == [line])
    }
  }

  @Test(arguments: [
    LinkTarget.pulse(sink: "@DEFAULT_SINK@"), mixer, .backlight("panel"), .led("a::b"),
    .command(["sh", "-c", "exit 1"]),
  ])
  func `the arguments of a program name what it serves`(target: LinkTarget) {
    for quantity in [OutsideProgram.Quantity.value, .mute] {
      let program = OutsideProgram(target, quantity, .mapped)
      #expect(OutsideProgram(arguments: program.arguments) == program)
    }
    #expect(OutsideProgram(arguments: ["pulse"]) == nil)
  }
}
