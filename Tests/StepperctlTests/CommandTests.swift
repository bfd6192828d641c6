import TestSupport
import Testing

@testable import StepperCommands

@Suite(.timeLimit(.minutes(10))) struct `What stepperctl prints` {
  let daemon: AnsweringPeer

  init() throws { daemon = try SmallDaemon.start() }

  func run(_ arguments: String..., input: String = "") async throws -> Run {
    try await Program.run(arguments, environment: ["STEPPERD_ADDRESS": daemon.path], input: input)
  }

  @Test func `list`() async throws {
    let expected = """
      CONTROL  VALUE  RANGE       STEP  TITLE
      volume   42 %   0…100       1     Loudness
      bass     -6 dB  -6…6 wraps  0.5             at minimum, no device, read-only

      """
    #expect(try await run("list") == Run(output: expected))
  }

  @Test func `list --json, one object a line`() async throws {
    let output = try await run("list", "--json").output
    let lines = output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(
      lines.first?.hasPrefix(
        #"{"description":{"control":"volume","kind":"continuous","profile":"uikit","title":"Loudness","#
      ) == true)
  }

  @Test func `list of nothing`() async throws {
    #expect(try await run("list", "x*") == Run(errors: "stepperctl: no control matches 'x*'\n", status: 4))
  }

  @Test func `get of one is the bare value`() async throws {
    #expect(try await run("get", "volume") == Run(output: "42\n"))
  }

  @Test func `get of several has names and units`() async throws {
    #expect(
      try await run("get", "volume", "bass")
        == Run(output: "volume  42 %\nbass    -6 dB  at minimum, no device\n"))
  }

  @Test func `get --json`() async throws {
    let expected = """
      {"control":"volume","value":42,"text":"42","limit":"none","origin":"startup","live":true,"turned":0,"presses":0,\
      "pressed":false,"editing":false,"canIncrement":true,"canDecrement":true,"sequence":1,"monotonicMicroseconds":1000}

      """
    #expect(try await run("get", "volume", "--json") == Run(output: expected))
    #expect(try await run("--json", "get", "volume") == Run(output: expected))
  }

  @Test func `set sends text and never a step`() async throws {
    #expect(try await run("set", "volume", "+5", "volume", "7") == Run(output: "volume  5 %\nvolume  7 %\n"))
    let heard = daemon.heard.filter { $0.hasPrefix("Set") }
    #expect(
      heard == [
        #"Set {"control":"volume","text":"+5","check":true}"#,
        #"Set {"control":"volume","text":"7","check":true}"#, #"Set {"control":"volume","text":"+5"}"#,
        #"Set {"control":"volume","text":"7"}"#,
      ])
  }

  @Test func `set of a negative number`() async throws {
    let refused = try await run("set", "volume", "-5")
    #expect(refused == Run(errors: "stepperctl: volume cannot be -5: it goes from 0 to 100\n", status: 1))
    #expect(daemon.heard == [#"Set {"control":"volume","text":"-5","describe":true}"#])
  }

  @Test func `set --clamp`() async throws {
    #expect(try await run("set", "volume", "200", "--clamp") == Run(output: "volume  100 %\n"))
  }

  @Test(arguments: [("3", 3, 45), ("+3", 3, 45), ("-3", -3, 39)]) func `step`(
    argument: String, steps: Int, value: Int
  ) async throws {
    #expect(try await run("step", "volume", argument) == Run(output: "volume  \(value) %\n"))
    #expect(
      daemon.heard.first == #"Step {"control":"volume","steps":\#(steps),"unit":"step","describe":true}"#)
  }

  @Test func `step --page --json`() async throws {
    let output = try await run("step", "volume", "-2", "--page", "--json").output
    #expect(
      output.hasPrefix(#"{"state":{"control":"volume","value":22,"#) && output.contains(#""applied":-2"#))
    #expect(daemon.heard == [#"Step {"control":"volume","steps":-2,"unit":"page"}"#])
  }

  @Test func `reset`() async throws {
    #expect(try await run("reset", "volume") == Run(output: "volume  42 %\n"))
  }

  @Test func `watch --once`() async throws {
    #expect(
      try await run("watch", "--once")
        == Run(output: "volume  42 %\nbass    -6 dB  at minimum, no device\n"))
  }

  @Test func `devices`() async throws {
    let expected = """
      DEVICE  STATE    NODE               NAME                 INPUTS            OUTPUTS       LIGHTS
      panel   virtual                     Virtual front panel  plus→volume dial
      knob    denied   /dev/input/event5  Knob
      pad     open                        Game pad                               rumble click  LED_MUTE
      knob: permission denied: add the udev rule

      """
    #expect(try await run("devices") == Run(output: expected))
  }

  @Test func `status`() async throws {
    let expected = """
      version        1.2.3
      configuration  built-in
      up             2h 1min
      controls       2
      devices        1
      clients        3, 1 subscription
      input          11 events, 0 overruns, 0 late wakeups
      output         12 replies, 4 changes coalesced
      latency        40 µs median, 90 µs maximum
      problem        knob: permission denied

      """
    #expect(try await run("status") == Run(output: expected))
  }

  @Test func `press for a time, then release`() async throws {
    #expect(try await run("press", "panel:plus", "--hold", "20ms") == Run())
    #expect(
      daemon.heard == [
        #"Press {"device":"panel","input":"plus","leaseMilliseconds":2000}"#,
        #"Release {"device":"panel","input":"plus"}"#,
      ])
  }

  @Test func `click, turn, move and release`() async throws {
    #expect(try await run("click", "panel:plus", "--hold", "1ms") == Run())
    #expect(try await run("turn", "panel:dial", "-3") == Run())
    #expect(try await run("move", "panel:fader", "40%") == Run())
    #expect(try await run("move", "panel:fader", "0.25") == Run())
    #expect(try await run("release", "panel:plus") == Run())
    #expect(
      daemon.heard == [
        #"Click {"device":"panel","input":"plus","milliseconds":1}"#,
        #"Turn {"device":"panel","input":"dial","detents":-3}"#,
        #"Move {"device":"panel","input":"fader","position":0.4}"#,
        #"Move {"device":"panel","input":"fader","position":0.25}"#,
        #"Release {"device":"panel","input":"plus"}"#,
      ])
  }

  @Test func `errors are JSON with --json`() async throws {
    #expect(
      try await run("get", "nothing", "--json")
        == Run(
          errors: #"{"error":"org.stepperd.control.NoSuchControl","exitStatus":4,"#
            + #""message":"there is no control 'nothing'"}"# + "\n", status: 4))
    let usage = try await run("step", "volume", "x", "--json")
    #expect(
      usage.status == 2
        && usage.errors.hasPrefix(#"{"exitStatus":2,"message":"'x' is not a whole number of steps"#))
    #expect(usage.errors.filter { $0 == "\n" }.count == 1)
    let unreachable = try await run("status", "--json", "--address", "/nonexistent")
    #expect(
      unreachable.status == 3 && unreachable.errors.hasPrefix(#"{"exitStatus":3,"message":"cannot connect"#))
  }

  @Test(
    arguments: [
      (["set", "volume", ""], 2, "volume\nbass\n"), (["set", ""], 2, "volume\nbass\n"),
      (["set", "--clamp", "volume", "5", ""], 5, "volume\nbass\n"), (["set", "volume", ""], 3, ""),
      (["set", "--address", "x", "volume", ""], 5, ""), (["--json", "set", ""], 3, "volume\nbass\n"),
      (["--timeout", "2s", "set", "volume", "5", ""], 6, "volume\nbass\n"),
      (["--timeout", "=", "2s", "set", "volume", "5", ""], 7, "volume\nbass\n"),
    ] as [([String], Int, String)]) func `completions of assignments`(
      words: [String], index: Int, completions: String
    ) async throws
  {
    guard !words.contains("--address") else {
      return #expect(Completions.operands(of: ["stepperctl"] + words, before: index) == ["volume"])
    }
    let arguments = ["---completion", "set", "--", "positional@0", "\(index)", "0", "stepperctl"] + words
    #expect(
      try await Program.run(arguments, environment: ["STEPPERD_ADDRESS": daemon.path]).output.split(
        separator: "\n") == completions.split(separator: "\n"))
  }

  @Test(
    arguments: [
      (["get", "--address", "/x", ""], "/x"), (["--address=/x", "get", ""], "/x"),
      (["get", "--address", "=", "unix:/x", ""], "unix:/x"), (["get", ""], nil), (["get", "--address"], nil),
    ] as [([String], String?)])
  func `completions ask the daemon that is named`(words: [String], address: String?) {
    #expect(Completions.address(in: ["stepperctl"] + words) == address)
  }

  @Test func `completions of names`() async throws {
    #expect(try await run("---completion", "get", "--", "positional@0", "0", "0").output == "volume\nbass\n")
    #expect(try await run("---completion", "turn", "--", "positional@0", "0", "0").output == "panel:dial\n")
  }
}
