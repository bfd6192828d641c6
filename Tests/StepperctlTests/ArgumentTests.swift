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
      ("--json nonsense x", "there is no command 'nonsense'; 'stepperctl --help' lists the commands"),
      ("--address x statsu", "there is no command 'statsu'; did you mean 'status'?"),
      ("help lst", "there is no command 'lst'; did you mean 'list'?"),
      ("feedback paly", "'feedback' has no command 'paly'; did you mean 'play'?"),
      ("profile gtk", "'profile' has no command 'gtk'; it has list, show"),
      ("click panel:plus --hold 61s", "--hold must be at most 60s"),
      ("--nonsense list", "Unknown option '--nonsense'"),
      ("--address", "Missing value for '--address <path>'"),
      (
        "step volume 9007199254740993", "is out of range: steps go from -9007199254740992 to 9007199254740992"
      ),
      ("step volume 99999999999999999999", "'99999999999999999999' is out of range"),
      ("step volume +-3", "'+-3' is not a whole number of steps"),
      ("turn panel:dial 3000000000", "is out of range: detents go from -2147483648 to 2147483647"),
      ("turn panel 3", "expected a device and an input, as in panel:plus"),
      ("adjust volume --step 1e400", "'1e400' is too large"),
      ("adjust volume --maximum 9223372036854775808", "'9223372036854775808' is too large"),
      ("adjust volume --maximum nan", "'nan' is not a number"),
      ("move panel:fader nan", "The value 'nan' is invalid for '<position>'"),
      ("move panel:fader 0x1p-1", "The value '0x1p-1' is invalid for '<position>'"),
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
      ("get LONG", 255), ("list LONG*", 255), ("watch volume LONG", 255), ("toggle LONG", 255),
      ("reset LONG", 255),
      ("hold LONG", 255), ("speak LONG", 255), ("speak --language LONG", 64), ("adjust LONG --step 1", 255),
      ("step LONG 1", 255), ("set LONG 1", 255), ("set volume LONG", 1024), ("turn panel:LONG 1", 255),
      ("press LONG:plus", 255), ("click LONG:plus", 255), ("release LONG:plus", 255),
      ("move panel:LONG 40%", 255),
      ("monitor LONG", 255), ("record - LONG", 255), ("learn --device LONG", 255),
      ("feedback test LONG", 255),
      ("feedback play LONG light", 255), ("feedback play panel light --output=LONG", 255),
    ])
  func `that are longer than a call allows are refused with their length`(typed: String, most: Int)
    async throws
  {
    let long = String(repeating: "x", count: 10_000)
    let words = typed.split(separator: " ").map { word in
      word.split(separator: "LONG", omittingEmptySubsequences: false).joined(separator: long)
    }
    let run = try await Program.run(words, environment: ["STEPPERD_ADDRESS": "/nonexistent"])
    #expect(run.status == 2, "\(run.status)")
    #expect(run.errors.contains(" bytes, and at most \(most) are possible"), "\(run.errors.prefix(2000))")
    #expect(run.errors.utf8.count < 2_000, "\(typed): \(run.errors.utf8.count) bytes")
  }

  @Test(arguments: [
    "step volume TEXT", "check TEXT", "profile show TEXT", "TEXT", "replay --config=TEXT -", "move a:b TEXT",
  ])
  func `that are quoted in messages take one line of limited length`(typed: String) async throws {
    let text = "x\n\u{1b}[31m" + String(repeating: "y", count: 4_000)
    let words = typed.split(separator: " ").map { word in
      word.split(separator: "TEXT", omittingEmptySubsequences: false).joined(separator: text)
    }
    let run = try await Program.run(words, input: "stepperd-recording 1\n")
    #expect(run.status != 0 && run.errors.contains(#"x\n\x1b[31myyy"#), "\(run)")
    #expect(run.errors.utf8.count < 1_000, "\(run.errors.utf8.count) bytes")
  }

  @Test func `that are quoted in JSON are unchanged`() async throws {
    let run = try await Program.run(["--json", "profile", "show", "x\n\u{1b}"])
    #expect(run.status == 1 && run.errors.contains(#"there is no profile 'x\n\u001b'"#), "\(run)")
  }

  @Test func `that ask for help are answered with text, also for JSON`() async throws {
    for words in [
      ["--json", "--help"], ["get", "--json", "--help"], ["help", "get", "--json"], ["--version", "--json"],
    ] {
      let run = try await Program.run(words)
      #expect(run.status == 0 && run.errors.isEmpty && !run.output.hasPrefix("{"), "\(words): \(run)")
    }
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
