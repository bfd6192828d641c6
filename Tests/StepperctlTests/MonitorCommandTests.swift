import StepperInterfaces
import TestSupport
import Testing
import Varlink

@testable import StepperCommands

@Suite(.timeLimit(.minutes(10))) struct `How stepperctl watches devices` {
  typealias Monitor = DeviceInterface.Monitor

  private static func device(
    _ name: String, node: String, _ text: String, generalPurpose: Bool = false, problem: String? = nil
  ) -> DeviceInterface.MonitoredDevice {
    .init(
      device: name, name: text, bus: 3, vendor: "077d", product: "0410", physicalPath: "", uniqueName: "",
      node: node, links: [], properties: [:], generalPurpose: generalPurpose, codes: ["REL_DIAL"], axes: [],
      keysDown: [], problem: problem)
  }

  private static let knob = device("knob", node: "/dev/input/event5", "Knob")
  private static let other = device("event6", node: "/dev/input/event6", "Other")

  private static func frame(
    _ device: String = "knob", at microseconds: Int64, _ events: [(String, Int64)],
    _ consequences: [DeviceInterface.Consequence] = []
  ) -> DeviceInterface.Frame {
    .init(
      device: device, monotonicMicroseconds: microseconds, resynchronized: false,
      events: events.map { .init(code: $0.0, value: $0.1) }, consequences: consequences)
  }

  private static func consequence(
    _ code: String, _ outcome: DeviceInterface.Outcome, _ before: String? = "30", _ after: String? = "30",
    of control: String = "volume", detents: Int64? = nil
  ) -> DeviceInterface.Consequence {
    .init(
      code: code, control: control, outcome: outcome, before: before, after: after, detents: detents)
  }

  /// A daemon with the devices of ``SmallDaemon`` that answers a call of Monitor with `replies`, and then refuses.
  private static func daemon(_ replies: [Monitor.Reply]) throws -> AnsweringPeer {
    try AnsweringPeer { call in
      guard call.method == Monitor.name else { return try SmallDaemon.answer(call) }
      return try replies.map { try .of(Monitor.self, $0, continues: true) } + [
        VarlinkReply(VarlinkFailure(ServiceInterface.PermissionDenied()))
      ]
    }
  }

  private static let refused = """
    stepperctl: permission denied: this needs root, the daemon's admin-group, or to be the user whose daemon it is

    """

  private func run(_ arguments: [String], _ replies: [Monitor.Reply]) async throws -> (
    run: Run, heard: [String]
  ) {
    let daemon = try Self.daemon(replies)
    let run = try await Program.run(["monitor", "--address", daemon.path] + arguments)
    return (run, daemon.heard)
  }

  /// The lines behind the events of each frame.
  private func outcomes(_ frames: [DeviceInterface.Frame], _ device: DeviceInterface.MonitoredDevice = knob)
    async throws -> [String]
  {
    let replies = [
      Monitor.Reply(devices: [device], removed: [], frames: [], dropped: 0),
      Monitor.Reply(devices: [], removed: [], frames: frames, dropped: 0),
    ]
    let lines = try await run([], replies).run.output.split(separator: "\n")
    return lines.map { line in
      line.split(separator: "  ", omittingEmptySubsequences: true).suffix(1).joined().drop { $0 == " " }
        .description
    }
  }

  @Test func `a line each, in columns, with what became of it`() async throws {
    let first = Monitor.Reply(devices: [Self.knob, Self.other], removed: [], frames: [], dropped: 0)
    let frames = [
      Self.frame(
        at: 1_000_000, [("REL_DIAL", 1)], [Self.consequence("REL_DIAL", .changed, "30", "31", detents: 1)]),
      Self.frame("event6", at: 1_000_000, [("ABS_X", 512)]),
      Self.frame(
        at: 1_038_240, [("REL_DIAL", -1)], [Self.consequence("REL_DIAL", .changed, "31", "30", detents: -1)]),
      Self.frame(at: 2_538_240, [("MSC_SCAN", 4), ("BTN_0", 1)]),
      // Nothing of it is a key or an axis.
      Self.frame(at: 2_600_000, [("MSC_SCAN", 4)]),
      Self.frame(at: 722_538_240, [("BTN_0", 0)]),
    ]
    let (run, heard) = try await run(
      [], [first, .init(devices: [], removed: [], frames: frames, dropped: 0)])
    let output = """
      knob               REL_DIAL +1  → volume 30 → 31
      event6             ABS_X 512    no table uses it
      knob    +38.2 ms   REL_DIAL -1  → volume 31 → 30
      knob    +1.50 s    BTN_0 down   no binding
      knob    +12 min    BTN_0 up     no binding

      """
    #expect(run.output == output)
    #expect(run.errors == "stepperctl: watching knob (Knob), event6 (Other)\n" + Self.refused)
    #expect(heard == [#"Monitor {"unused":true,"keyboards":false}"#])
  }

  @Test func `why nothing became of it`() async throws {
    let outcomes: [(DeviceInterface.Outcome, String)] = [
      (.noted, "volume stays at 30"), (.partial, "volume: less than a detent"),
      (.limit, "volume is at its end, 30"), (.disabled, "volume is disabled"),
      (.pickup, "volume: the fader has not reached 30 yet"),
      (.modifier, "volume: bound with other buttons held"),
      (.layer, "volume: bound in another layer"), (.held, "volume: another button is held"),
      (.unset, "volume is unset"),
    ]
    let frames = outcomes.enumerated().map { index, outcome in
      Self.frame(at: Int64(index), [("REL_X", 1)], [Self.consequence("REL_X", outcome.0, detents: 1)])
    }
    #expect(try await self.outcomes(frames) == outcomes.map(\.1))
    let fader = Self.frame(at: 0, [("ABS_X", 1)], [Self.consequence("ABS_X", .partial)])
    #expect(try await self.outcomes([fader]) == ["volume: less than the fader's noise"])
  }

  @Test func `several controls, several codes, and a control that changes and is noted`() async throws {
    let frames = [
      Self.frame(
        at: 0, [("REL_X", 1)],
        [
          Self.consequence("REL_X", .changed, nil, "1"),
          Self.consequence("REL_X", .disabled, "5", "5", of: "bass"),
        ]),
      Self.frame(
        at: 1, [("REL_WHEEL", 1), ("REL_WHEEL_HI_RES", 120), ("BTN_1", 1)],
        [
          Self.consequence("REL_WHEEL", .noted, "1", "2"),
          Self.consequence("REL_WHEEL_HI_RES", .changed, "1", "2", detents: 1),
        ]),
    ]
    #expect(
      try await outcomes(frames) == [
        "→ volume unset → 1; bass is disabled", "→ volume 1 → 2; BTN_1: no binding",
      ])
    let replies = [
      Monitor.Reply(devices: [Self.knob], removed: [], frames: [], dropped: 0),
      Monitor.Reply(devices: [], removed: [], frames: frames, dropped: 0),
    ]
    let output = try await run([], replies).run.output
    #expect(output.contains("REL_WHEEL +1  REL_WHEEL_HI_RES +120 (+1 detent)  BTN_1 down"))
  }

  @Test func `it says what is not watched and why, what is missing, and what goes`() async throws {
    let replies: [Monitor.Reply] = [
      .init(
        devices: [
          Self.device("panel", node: "", "Virtual front panel"),
          Self.device(
            "event7", node: "/dev/input/event7", "Keys", generalPurpose: true, problem: "on request"),
          Self.device("event8", node: "/dev/input/event8", "Pad", problem: "permission denied: add a rule"),
        ], removed: [], frames: [], dropped: 0),
      .init(devices: [Self.other], removed: [], frames: [Self.frame(at: 0, [("REL_X", 1)])], dropped: 214),
      .init(devices: [Self.other], removed: ["event6"], frames: [], dropped: 1),
    ]
    let (run, _) = try await run(["panel", "event*"], replies)
    #expect(
      run.errors == """
        stepperctl: not watched: event7 (Keys), a keyboard, a mouse or a similar device; --keyboards watches it too, and \
        shows every key
        stepperctl: not watched: event8 (Pad): permission denied: add a rule
        stepperctl: watching panel (Virtual front panel)
        stepperctl: watching event6 (Other)
        stepperctl: event6 is unplugged

        """ + Self.refused)
    let lines = run.output.split(separator: "\n")
    #expect(
      lines.first == "… 214 frames not shown" && lines.last == "… 1 frame not shown" && lines.count == 3)
    #expect(run.status == 1)
  }

  @Test func `an object a line with --json, and every event with --raw`() async throws {
    let replies: [Monitor.Reply] = [
      .init(devices: [Self.knob], removed: [], frames: [], dropped: 0),
      .init(
        devices: [], removed: ["knob"],
        frames: [Self.frame(at: 7_000_042, [("MSC_SCAN", 4), ("REL_X", -1)])],
        dropped: 3),
    ]
    let json = try await run(["--json", "--keyboards"], replies)
    let lines = json.run.output.split(separator: "\n")
    try #require(lines.count == 4)
    #expect(lines[0].hasPrefix(#"{"device":{"device":"knob","name":"Knob","bus":3,"#))
    #expect(lines[1] == #"{"dropped":3}"#)
    #expect(
      lines[2]
        == #"{"frame":{"device":"knob","monotonicMicroseconds":7000042,"resynchronized":false,"events":[{"code":"MSC_SCAN","value":4},{"code":"REL_X","value":-1}],"consequences":[]}}"#
    )
    #expect(lines[3] == #"{"removed":"knob"}"#)
    #expect(json.heard == [#"Monitor {"unused":true,"keyboards":true}"#])
    let raw = try await run(["--raw"], replies).run.output
    #expect(raw == "… 3 frames not shown\nknob  7.000042   MSC_SCAN  4\nknob  7.000042   REL_X     -1\n")
    let both = try await Program.run(["monitor", "--raw", "--json"])
    #expect(both.status == 2)
  }

  @Test func `a name that no device has is 4, and what was meant is said`() async throws {
    let (run, heard) = try await run(["knbo", "x*"], [])
    #expect(run == Run(errors: "stepperctl: there is no device 'knbo'; did you mean 'knob'?\n", status: 4))
    #expect(heard == ["List {}"])
  }

  @Test func `a device that is not plugged in is waited for`() async throws {
    let (run, heard) = try await run(["knob"], [.init(devices: [], removed: [], frames: [], dropped: 0)])
    #expect(
      run.errors == """
        stepperctl: knob is not plugged in; waiting for it
        stepperctl: no device can be watched now; waiting until one is plugged in

        """ + Self.refused)
    #expect(heard == ["List {}", #"Monitor {"match":["knob"],"keyboards":false}"#])
  }

  @Test func `connects again, and says so`() async throws {
    let listener = try PeerListener()
    let peer = PeerThread<Void> {
      for time in 1...2 {
        let connection = try listener.accept()
        _ = try connection.expect(Monitor.self)
        let reply = Monitor.Reply(devices: [Self.knob], removed: [], frames: [], dropped: 0)
        try connection.reply(Monitor.self, reply, continues: true)
        let frames = [Self.frame(at: Int64(time) * 1_000, [("REL_X", 1)])]
        try connection.reply(
          Monitor.self, .init(devices: [], removed: [], frames: frames, dropped: 0), continues: true)
        if time == 2 { try connection.fail(DeviceInterface.TooManySubscriptions(limit: 3)) }
      }
    }
    let run = try await Program.run(["monitor", "--address", listener.path])
    try await peer.value
    #expect(
      run.errors == """
        stepperctl: watching knob (Knob)
        stepperctl: connection lost, trying again
        stepperctl: connected again; events in between are lost
        stepperctl: the daemon has no room for more than 3 subscriptions

        """)
    #expect(run.output.split(separator: "\n").count == 2)
  }

  @Test func `devices that a daemon invents take bounded memory`() {
    var view = MonitorView(isRaw: false, isJSON: false, includesKeyboards: false)
    var shows = 0
    for round in 0..<3 {
      for name in ["knob"] + (0..<5_000).map({ "invented\($0 + round)" }) {
        let reply = Monitor.Reply(
          devices: [], removed: [], frames: [Self.frame(name, at: 1, [("REL_X", 1)])], dropped: 0)
        shows += view.lines(of: reply).count {
          if case .output(let text) = $0 { text.contains("+0.0 ms") } else { false }
        }
      }
    }
    // Of each round the former ones are forgotten.
    #expect(shows < 5_000)
  }

  @Test func `names of all devices are completed`() async throws {
    let daemon = try SmallDaemon.start()
    let run = try await Program.run(
      ["---completion", "monitor", "--", "positional@0", "0", "0"],
      environment: ["STEPPERD_ADDRESS": daemon.path])
    #expect(run.output == "panel\nknob\npad\n")
  }
}
