import Testing

@testable import StepperCommands

/// What is done to the command line before the parser has it.
@Suite struct `Arguments for the parser` {
  @Test(
    arguments: [
      ("--json list", "list --json"),
      ("--address /x --timeout=1s get volume", "get --address /x --timeout=1s volume"),
      ("--json feedback watch volume", "feedback watch --json volume"), ("list --json", "list --json"),
      ("--json", "--json"), ("--json --help", "--json --help"), ("--address", "--address"),
      ("--nonsense list", "--nonsense list"), ("--json nonsense x", "nonsense --json x"), ("", ""),
    ])
  func `options before the command's name are put behind it`(typed: String, passed: String) {
    let words = typed.split(separator: " ").map(String.init)
    #expect(GlobalOptions.moved(behindCommandOf: words).joined(separator: " ") == passed)
  }

  @Test(arguments: ["-3", "-1.5", "-$5", "-5 €", "-.5"])
  func `a negative number is no option`(number: String) {
    let protected = SignedText.protect(["step", "volume", number])
    #expect(!protected[2].hasPrefix("-"))
    #expect(SignedText(argument: protected[2])?.text == number)
    #expect(SignedText.restored(protected[2]) == number)
  }

  @Test(arguments: [
    "-o=climb-rate=1", "-o", "--turn=-3", "-l", "--hold", "-", "--", "climb-rate=-1", "--option=step=2",
  ])
  func `an option is left as it is`(option: String) {
    #expect(SignedText.protect(["try", option]) == ["try", option])
  }

  @Test func `the shell's own calls are left as they are`() {
    let words = ["---completion", "get", "--", "positional@0", "-1"]
    #expect(SignedText.protect(words) == words)
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
