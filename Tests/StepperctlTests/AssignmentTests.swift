import StepperInterfaces
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct `What stepperctl sets` {
  let daemon: PriceDaemon

  init() throws {
    func description(
      _ name: String, _ kind: ControlInterface.Kind, _ choices: [String]? = nil, titles: [String]? = nil,
      hasInputs: Bool? = nil
    ) -> ControlInterface.Description {
      .init(
        control: name, kind: kind, profile: "picker", format: .init(), choices: choices, choiceTitles: titles,
        choiceTranslations: titles?.map { ["de": "\($0) (de)"] }, wrap: false, writable: true,
        hasInputs: hasInputs)
    }
    daemon = try PriceDaemon(
      [
        description("mute", .toggle), description("source", .choice, ["Radio", "TAPE", "tape", "2"]),
        description("side", .choice, ["left", "right"], titles: ["Left", "Right"]),
        description("level", .continuous),
      ], texts: ["off", "2", "left", "5"])
  }

  private func run(_ arguments: [String], language: String = "C") async throws -> Run {
    try await Program.run(
      arguments, environment: ["STEPPERD_ADDRESS": daemon.path, "LC_ALL": language, "LANGUAGE": ""])
  }

  @Test(arguments: [
    ("mute", "ON", "on"), ("mute", "1", "on"), ("mute", "Off", "off"), ("source", "radio", "Radio"),
    ("source", "tape", "tape"), ("source", "TAPE", "TAPE"), ("source", "0", "Radio"), ("source", "2", "2"),
    ("source", "3", "2"), ("side", "RIGHT", "right"), ("side", "1", "right"), ("side", "toggle", "right"),
    ("level", "7 dB", "7 dB"),
  ])
  func `names in any case, and numbers`(name: String, typed: String, sent: String) async throws {
    #expect(try await run(["set", name, typed]).status == 0)
    #expect(daemon.texts[name] == sent)
  }

  @Test(arguments: [("mute", "perhaps"), ("source", "7"), ("source", "-1")])
  func `what is no name and no number is refused by the daemon`(name: String, typed: String) async throws {
    let run = try await run(["set", name, typed])
    #expect(run.errors.hasPrefix("stepperctl: \(name) cannot be '\(typed)'") && run.status == 1)
    #expect(daemon.texts[name] == (name == "mute" ? "off" : "2"))
  }

  @Test func `a name that may be two is refused`() async throws {
    let run = try await run(["set", "source", "Tape"])
    #expect(
      run.errors == "stepperctl: source has several values like 'Tape': write 'TAPE' or 'tape'\n"
        && run.status == 1)
    #expect(daemon.texts["source"] == "2")
  }

  @Test func `a name of the daemon is set with one call`() async throws {
    #expect(try await run(["set", "source", "TAPE"]) == Run(output: "source  TAPE\n"))
    #expect(daemon.heard == [#"Set {"control":"source","text":"TAPE","describe":true}"#])
  }

  @Test func `a toggle is flipped by a step, whatever it has become`() async throws {
    _ = try await run(["set", "mute", "toggle"])
    #expect(daemon.heard.contains(#"Step {"control":"mute","steps":1}"#))
  }

  @Test func `toggle is completed with what it can change`() async throws {
    let completion = try await run(["---completion", "toggle", "--", "positional@0", "0", "0"])
    #expect(completion.output == "mute\nside\n")
  }

  @Test func `toggle of a choice of two keeps to the state that it read`() async throws {
    #expect(try await run(["toggle", "side"]) == Run(output: "side  right\n"))
    #expect(daemon.heard.contains(#"Set {"control":"side","text":"right","ifSequence":1}"#))
  }

  @Test(arguments: [
    ("source", "source has 4 values"), ("level", "level has more than two values"),
  ])
  func `nothing else is toggled`(name: String, reason: String) async throws {
    let run = try await run(["toggle", "side", name])
    let expected =
      "stepperctl: \(reason): only a toggle or a choice of two can be toggled\nnothing was changed\n"
    #expect(run == Run(errors: expected, status: 1))
    #expect(daemon.texts["side"] == "left")
  }

  @Test func `titles are shown and read in the language`() async throws {
    #expect(try await run(["get", "side"]) == Run(output: "left\n"))
    #expect(try await run(["get", "side", "--localized"]) == Run(output: "Left\n"))
    #expect(try await run(["set", "side", "Right", "--localized"]) == Run(output: "side  Right\n"))
    #expect(daemon.texts["side"] == "right")
  }

  @Test(arguments: [
    (["set", "volume", "5", "volum", "7"], "there is no control 'volum'; did you mean 'volume'?", 4),
    (["set", "volume", "5", "volume", "700"], "volume cannot be 700: it goes from 0 to 100", 1),
    (["set", "volume", "5", "volume", "x"], "volume cannot be 'x', which is no number", 1),
  ])
  func `all or nothing`(arguments: [String], message: String, status: Int32) async throws {
    let daemon = try SmallDaemon.start()
    let run = try await Program.run(arguments, environment: ["STEPPERD_ADDRESS": daemon.path])
    #expect(run.errors == "stepperctl: \(message)\nnothing was changed\n" && run.status == status)
    #expect(daemon.heard.allSatisfy { !$0.hasPrefix("Set") || $0.contains(#""check":true"#) })
  }
}
