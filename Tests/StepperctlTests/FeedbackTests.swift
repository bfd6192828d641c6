import StepperInterfaces
import TestSupport
import Testing
import Varlink

@Suite(.timeLimit(.minutes(10))) struct `What stepperctl plays and shows` {
  let daemon: AnsweringPeer

  init() throws { daemon = try SmallDaemon.start() }

  func run(_ arguments: String...) async throws -> Run {
    try await Program.run(["feedback"] + arguments, environment: ["STEPPERD_ADDRESS": daemon.path])
  }

  static let effects = [
    "light", "medium", "heavy", "soft", "rigid", "selection", "success", "warning", "error",
  ]

  @Test func `test plays every effect and shows every light`() async throws {
    let expected = """
      light      rumble
      medium     rumble
      heavy      rumble
      soft       rumble
      rigid      rumble
      selection  rumble
      success    rumble
      warning    rumble
      error      nothing played it
      full       LED_MUTE

      """
    #expect(try await run("test", "pad", "--pause", "0ms") == Run(output: expected))
    let plays = Self.effects.map { #"PlayEffect {"device":"pad","effect":"\#($0)"}"# }
    let light = #"SetLight {"device":"pad","light":"LED_MUTE","brightness":1}"#
    let calls: [String] = ["List {}"] + plays + [light]
    #expect(daemon.heard == calls)
  }

  @Test func `test --json, one object a line`() async throws {
    let lines = try await run("test", "pad", "--pause", "0ms", "--json").output.split(separator: "\n")
    #expect(lines.count == 10)
    #expect(lines.first == #"{"device":"pad","effect":"light","played":"rumble"}"#)
    #expect(lines.suffix(2).first == #"{"device":"pad","effect":"error"}"#)
    #expect(lines.last == #"{"brightness":1,"device":"pad","light":"LED_MUTE"}"#)
  }

  @Test func `test of one output or one light`() async throws {
    let output = try await run("test", "pad", "--output", "click", "--pause", "0ms").output
    #expect(output.hasPrefix("light      click\nmedium     click\n"))
    #expect(!output.contains("LED_MUTE"))
    let light = try await run("test", "pad", "--output", "LED_MUTE", "--pause", "0ms")
    #expect(light == Run(output: "full  LED_MUTE\n"))
  }

  @Test func `test waits between the effects`() async throws {
    let start = SuspendingClock.now
    #expect(try await run("test", "pad", "--output", "click", "--pause", "5ms").status == 0)
    #expect(start.duration(to: SuspendingClock.now) >= .milliseconds(40))
  }

  @Test func `test of a device without outputs says so`() async throws {
    let panel = "stepperctl: panel has no outputs and no lights\n"
    #expect(try await run("test", "panel") == Run(errors: panel, status: 1))
    let knob = "stepperctl: knob has no outputs and no lights: permission denied: add the udev rule\n"
    #expect(try await run("test", "knob") == Run(errors: knob, status: 1))
  }

  @Test func `test of an unknown device or output says what was meant`() async throws {
    let device = "stepperctl: there is no device 'pda'; did you mean 'pad'?\n"
    #expect(try await run("test", "pda") == Run(errors: device, status: 1))
    let output = "stepperctl: pad has no output 'rumbl'; it has rumble, click; did you mean 'rumble'?\n"
    #expect(try await run("test", "pad", "--output", "rumbl") == Run(errors: output, status: 1))
  }

  /// `stepperctl` is at the mercy of the daemon's connection for each light.
  @Test func `test gives up each light before the next`() async throws {
    let listener = try PeerListener()
    var lamp = SmallDaemon.pad
    lamp.outputs = []
    lamp.lights = ["left", "right"]
    let devices = [lamp]
    let peer = PeerThread<[String]> {
      var lights: [String] = []
      for index in 0...1 {
        let connection = try listener.accept()
        if index == 0 {
          _ = try connection.expect(DeviceInterface.List.self)
          try connection.reply(DeviceInterface.List.self, .init(devices: devices))
        }
        lights.append(try connection.expect(DeviceInterface.SetLight.self).light)
        try connection.reply(DeviceInterface.SetLight.self, .init())
        try connection.expectClose()
      }
      return lights
    }
    let run = try await Program.run([
      "feedback", "test", "pad", "--pause", "0", "--address", listener.path,
    ])
    #expect(run == Run(output: "full  left\nfull  right\n"))
    #expect(try await peer.value == ["left", "right"])
  }

  @Test func `test ends when the daemon goes away`() async throws {
    let daemon = try AnsweringPeer { call in
      guard call.method == DeviceInterface.List.name else { return [] }
      return try [.of(DeviceInterface.List.self, .init(devices: [SmallDaemon.pad]))]
    }
    let run = try await Program.run(["feedback", "test", "pad", "--address", daemon.path])
    #expect(run == Run(errors: "stepperctl: the daemon closed the connection\n", status: 3))
  }

  @Test func `play`() async throws {
    #expect(try await run("play", "pad", "success") == Run(output: "success  rumble\n"))
    #expect(try await run("play", "pad", "error") == Run(output: "error  nothing played it\n"))
    let json = try await Program.run([
      "--json", "--address", daemon.path, "feedback", "play", "pad", "light", "--output", "click",
    ])
    #expect(json == Run(output: #"{"device":"pad","effect":"light","played":"click"}"# + "\n"))
    #expect(daemon.heard.last == #"PlayEffect {"device":"pad","effect":"light","output":"click"}"#)
  }

  @Test func `play of what there is not`() async throws {
    let device = "stepperctl: there is no device 'pda'; did you mean 'pad'?\n"
    #expect(try await run("play", "pda", "light") == Run(errors: device, status: 1))
    let output = "stepperctl: pad has no output 'clik'; it has rumble, click; did you mean 'click'?\n"
    #expect(try await run("play", "pad", "light", "--output", "clik") == Run(errors: output, status: 1))
    #expect(
      try await run("play", "panel", "light") == Run(errors: "stepperctl: panel has no output\n", status: 1))
    let effect = try await run("play", "pad", "lihgt")
    #expect(effect.status == 2)
    #expect(effect.errors.contains("lihgt"))
    #expect(effect.errors.contains("selection"))
  }

  @Test(arguments: [
    (["test", "--", "positional@0", "0", "0"], "pad\n"),
    (["play", "--", "positional@0", "0", "0"], "pad\n"),
    (
      ["test", "--", "--output", "5", "0", "stepperctl", "feedback", "test", "pad", "--output"],
      "rumble\nclick\nLED_MUTE\n"
    ),
    (["watch", "--", "positional@0", "0", "0"], "volume\nbass\n"),
  ]) func `completions`(arguments: [String], expected: String) async throws {
    let run = try await Program.run(
      ["---completion", "feedback"] + arguments, environment: ["STEPPERD_ADDRESS": daemon.path])
    #expect(run.output == expected, "\(run.errors)")
  }
}
