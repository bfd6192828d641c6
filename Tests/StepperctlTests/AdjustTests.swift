import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct `What stepperctl adjusts and speaks` {
  let daemon: AnsweringPeer

  init() throws { daemon = try SmallDaemon.start() }

  func run(_ arguments: String..., language: String = "") async throws -> Run {
    try await Program.run(arguments, environment: ["STEPPERD_ADDRESS": daemon.path, "LANG": language])
  }

  @Test func `adjust sends what is given`() async throws {
    let run = try await run("adjust", "bass", "--minimum", "-12", "--step=0.25")
    #expect(run == Run(output: "bass  -6 dB  -12…6 wraps  step 0.5  at minimum, no device\n"))
    #expect(daemon.heard.first == #"Adjust {"control":"bass","minimum":-12,"step":0.25}"#)
    _ = try await self.run("adjust", "volume", "--maximum", "80", "--page", "20")
    #expect(daemon.heard.contains(#"Adjust {"control":"volume","maximum":80,"page":20}"#))
  }

  @Test func `adjust --json is the whole reply`() async throws {
    let output = try await run("adjust", "volume", "--maximum", "80", "--json").output
    #expect(output.hasPrefix(#"{"description":{"control":"volume","#))
    #expect(output.contains(#""maximum":80"#))
    #expect(output.contains(#""state":{"#))
  }

  @Test func `adjust that is refused says why`() async throws {
    let expected = "stepperctl: volume cannot have step 0: a step must be greater than 0\n"
    #expect(try await run("adjust", "volume", "--step", "0") == Run(errors: expected, status: 1))
    #expect(try await run("adjust", "volum", "--step", "1").status == 4)
  }

  @Test(arguments: [
    ["adjust", "volume"], ["adjust", "volume", "--step", "x"], ["adjust", "volume", "--step", "inf"],
    ["adjust", "volume", "--maximum", "0x10"], ["adjust", "volume", "--maximum", "0x1p4"],
  ])
  func `adjust needs numbers`(arguments: [String]) async throws {
    let run = try await Program.run(arguments)
    #expect(run.status == 2)
    #expect(run.errors.contains("Usage: stepperctl adjust"))
  }

  @Test func `speak of all, in the language of the environment`() async throws {
    #expect(try await run("speak") == Run(output: "Loudness, 42 %\nbass, -6 dB\n"))
    #expect(
      try await run("speak", language: "de_AT.UTF-8") == Run(output: "Lautstärke, 42 %\nbass, -6 dB\n"))
    #expect(daemon.heard.last == #"Describe {"control":"bass","language":"de-AT"}"#)
  }

  @Test func `speak of some, in a language`() async throws {
    let run = try await run("speak", "volume", "--language", "de", language: "C.UTF-8")
    #expect(run == Run(output: "Lautstärke, 42 %\n"))
    #expect(daemon.heard == [#"Describe {"control":"volume","language":"de"}"#])
    let missing = try await self.run("speak", "volmue", "volume")
    #expect(missing.output == "Loudness, 42 %\n")
    #expect(missing.status == 4)
  }

  @Test func `speak --json`() async throws {
    let output = try await run("speak", "volume", "--json").output
    #expect(output.hasPrefix(#"{"description":{"control":"volume","#))
    #expect(output.contains(#""accessibility":{"role":"#) && output.contains(#""label":"Loudness""#))
  }
}
