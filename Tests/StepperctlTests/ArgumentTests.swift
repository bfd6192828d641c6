import ArgumentParser
import TestSupport
import Testing

@testable import StepperCommands

@Suite(.timeLimit(.minutes(10))) struct `Arguments` {
  @Test(
    arguments: [
      "--json profile list", "profile --json list", "profile list --json",
      "--address /x --timeout=1s profile list --json",
    ])
  func `of every command may stand before its name`(typed: String) async throws {
    let run = try await Program.run(typed.split(separator: " ").map(String.init))
    #expect(run.status == 0 && run.output.contains(#""profile":"uikit""#), "\(run)")
  }

  @Test(
    arguments: [
      ("--json nonsense x", "unexpected arguments: 'nonsense', 'x'"),
      ("--nonsense list", "Unknown option '--nonsense'"),
      ("--address", "Missing value for '--address <path>'"),
      ("step volume 3 --pge", "Unknown option '--pge'"),
      ("set volume 3 --clmp", "Unknown option '--clmp'"),
      ("set --hlep volume 5", "Unknown option '--hlep'"), ("turn panel:dial -x", "Unknown option '-x'"),
      ("set -- --clmp", "'--clmp' has no value"),
      ("step volume", "Missing expected argument '<steps>"),
      ("step volume -3 -4", "Unexpected argument '-4'"),
    ])
  func `that are wrong are named`(typed: String, message: String) async throws {
    let run = try await Program.run(typed.split(separator: " ").map(String.init))
    #expect(run.status == 2 && run.errors.contains(message), "\(run)")
  }

  @Test(
    arguments: [
      "set", "step", "turn", "set volume 3", "step volume", "turn panel:dial", "turn panel:dial -3",
    ])
  func `that ask for help are answered`(typed: String) async throws {
    let command = typed.split(separator: " ").map(String.init)
    for option in ["--help", "-h"] {
      let run = try await Program.run(command + [option])
      #expect(run.status == 0 && run.output.contains("USAGE: stepperctl \(command[0]) "), "\(run)")
    }
    let version = try await Program.run(command + ["--version"])
    #expect(version.status == 0 && version.output == "stepperctl \(productVersion)\n", "\(version)")
  }

  @Test(arguments: ["-3", "-1.5", "-$5", "-5 €", "-.5", "-", "3", "x"])
  func `that are negative numbers are no options`(number: String) throws {
    #expect(SignedText(argument: number)?.isOption == false)
    #expect(
      try SetCommand.parse(["volume", number, "--clamp", "bass", "1"]).words.map(\.text) == [
        "volume", number, "bass", "1",
      ])
    #expect(
      try SetCommand.parse(["--", "volume", number]).words.operands().map(\.text) == ["volume", number])
  }

  @Test(arguments: ["-o", "-l", "--hold", "--turn=-3", "-o=climb-rate"])
  func `that are misspelt options are no numbers`(option: String) {
    #expect(SignedText(argument: option)?.isOption == true)
  }

  @Test(arguments: [
    ["-o", "climb-rate=1"], ["-o=climb-rate=1"], ["--option", "climb-rate=1"], ["--option=climb-rate=1"],
  ])
  func `an option to try may be written in each way`(option: [String]) async throws {
    let run = try await Program.run(["try", "--summary"] + option)
    #expect(run.status == 0 && run.output.contains("hold for 3s: 15 changes, 0 to 23\n"), "\(run)")
  }

  @Test func `a negative value of an option to try is a number`() async throws {
    let run = try await Program.run(["try", "--summary", "-o=minimum=-5", "--turn", "-3"])
    #expect(run.status == 0 && run.output.contains("turn by -3: 3 changes"), "\(run)")
  }

  @Test(
    arguments: [
      ("500ms", 500), ("2s", 2000), ("1.5s", 1500), (".5s", 500), ("3", 3000), ("0.25", 250), ("1m", 60_000),
      ("24h", 86_400_000), ("0", 0), ("25h", nil), ("-1s", nil), ("soon", nil), ("", nil), ("1x", nil),
      ("1ms s", nil),
    ] as [(String, Int64?)])
  func `durations have units, and are seconds without one`(text: String, milliseconds: Int64?) {
    #expect(DurationText(argument: text)?.milliseconds == milliseconds)
  }
}
