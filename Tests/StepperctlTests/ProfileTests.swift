import Glibc
import TestSupport
import Testing

/// Profiles and their trial, for which no daemon is needed.
@Suite(.timeLimit(.minutes(10))) struct `What stepperctl tells of profiles` {
  /// No configuration of the machine counts.
  func run(_ arguments: String..., input: String = "") async throws -> Run {
    try await Program.run(arguments, environment: ["HOME": "/nonexistent"], input: input)
  }

  /// The lines of a run that went well.
  func lines(_ arguments: String..., input: String = "") async throws -> [String] {
    let run = try await Program.run(arguments, environment: ["HOME": "/nonexistent"], input: input)
    #expect(run.status == 0 && run.errors == "")
    return run.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
  }

  static let own = "[profile.mine]\nbase = \"gtk\"\nabout = \"faster\"\nclimb-rate = 2\n"

  @Test func `list names every profile with its base`() async throws {
    let lines = try await lines("profile", "list")
    #expect(lines.first == "PROFILE BASE ABOUT")
    for name in [
      "uikit", "uikit/observed uikit", "appkit", "appkit/gnustep appkit", "winui", "gtk", "gtk/gtk3 gtk",
      "material",
      "material/wear material", "rpvertical", "rpvertical/runaway rpvertical", "slider", "picker",
    ] {
      #expect(lines.contains { $0.hasPrefix(name + " ") }, "\(name)")
    }
    #expect(try await self.lines("profile") == lines)
  }

  @Test func `show tells each option, its value and who says so`() async throws {
    let lines = try await lines("profile", "show", "gtk/gtk3")
    #expect(lines.first?.hasPrefix("gtk/gtk3: GtkSpinButton of GTK 3") == true)
    #expect(lines.contains { $0.hasPrefix(#"at-limit "pause" gtk/gtk3 what happens to a hold"#) })
    #expect(lines.contains { $0.hasPrefix(#"wrap-when "at-limit" gtk "#) })
    #expect(lines.contains { $0.hasPrefix(#"curve "linear" - how the travel"#) })
  }

  @Test func `those of an included file are known`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("[daemon]\ninclude = \"\(folder.path)/in.toml\"\n", to: "x.toml")
    try folder.write(Self.own, to: "in.toml")
    unsafe chmod("\(folder.path)/in.toml", 0o600)
    let config = ["--config", "\(folder.path)/x.toml"]
    #expect(try await lines("profile", "list", config[0], config[1]).last == "mine gtk faster")
    #expect(try await lines("try", "--profile", "mine", config[0], config[1]).first == "mine: faster")
  }

  @Test func `the options of all commands are taken`() async throws {
    for command in [["profile", "list"], ["profile", "show", "gtk"], ["try"]] {
      let plain = try await Program.run(command, environment: ["HOME": "/nonexistent"])
      let other = try await Program.run(
        command + ["--address", "/nonexistent", "--timeout", "1s"], environment: ["HOME": "/nonexistent"])
      #expect(plain == other && plain.status == 0)
    }
    let json = try await run("try", "--json", "--summary", "--turn", "3").output
    #expect(json.contains(#"{"after":"19","before":"16","changes":3,"gesture":"turn by 3"}"#), "\(json)")
    #expect(
      try await run("--json", "try").output.contains(
        #"{"action":"press","changed":true,"milliseconds":0,"text":"1"}"#))
  }

  @Test func `profiles of a configuration are known`() async throws {
    #expect(
      try await lines("profile", "list", "--config", "-", input: Self.own).last == "mine gtk faster")
    let shown = try await lines("profile", "show", "mine", "--config", "-", input: Self.own)
    #expect(shown.contains { $0.hasPrefix("climb-rate 2 mine ") })
    let json = try await run("profile", "show", "mine", "--config", "-", "--json", input: Self.own).output
    #expect(json.contains(#"{"explanation":"what the step of a long hold grows by"#))
    #expect(json.contains(#""from":"mine","option":"climb-rate","value":"2"}"#))
  }

  @Test(arguments: [
    (["profile", "show", "gtkk"], "there is no profile 'gtkk'; did you mean 'gtk'?", 1),
    (["try", "--profile", "xyz"], "there is no profile 'xyz'; 'stepperctl profile list' shows them", 1),
    (["try", "-o", "climbrate=1"], #"--option climbrate: unknown key (did you mean "climb-rate"?)"#, 2),
    (["try", "-o", "wraps=maybe"], #"--option wraps: must be true or false, found "maybe""#, 2),
    (["try", "-o", "wraps"], "--option 'wraps' must be KEY=VALUE", 2),
    (["try", "-o", "profile=gtk"], "--option profile: is set with --profile", 2),
    (["try", "-o", "rotate=x"], "--option rotate: the control has its buttons and its knob already", 2),
    (["try", "-o", "step=1", "-o", "step=2"], "--option step: is given twice", 2),
    (["try", "-o", "repeat=500ms"], #"--option repeat: must be a table, found "500ms""#, 2),
    (["try", "-o", "step=2", "-o", "maximum=007"], "--option maximum: a number must not begin with 0", 2),
    (["try", "-o", "numeric=true", "-o", "expressions=true"], "--option expressions: numeric = true", 2),
    (["try", "--hold", "-1s"], "The value '-1s' is invalid for '--hold <time>'", 2),
    (["try", "--turn", "-1.5"], "--turn must be a whole number from -1000 to 1000", 2),
    (
      ["profile", "list", "--config", "/nonexistent/x.toml"], "cannot read /nonexistent/x.toml: No such file",
      1
    ),
  ])
  func `mistakes are explained`(arguments: [String], message: String, status: Int32) async throws {
    let run = try await Program.run(arguments, environment: ["HOME": "/nonexistent"])
    #expect(run.errors.hasPrefix("stepperctl: " + message), "\(run.errors)")
    #expect(run.status == status && run.output == "")
  }

  @Test func `a profile of a configuration that is wrong is told with its line`() async throws {
    let run = try await run("profile", "list", "--config", "-", input: "[profile.mine]\nclimbrate = 2\n")
    #expect(run.status == 78)
    #expect(run.errors.contains(#"<stdin>:2:1: error: profile.mine.climbrate: unknown key"#), "\(run.errors)")
  }

  @Test func `a profile that does not suit the scratch control is told with its key`() async throws {
    let run = try await run(
      "try", "--profile", "r", "--config", "-", input: "[profile.r]\ninitial = \"tape\"\n")
    #expect(
      run.errors == "stepperctl: profile.r.initial: must be a number for control.try, found \"tape\"\n")
    #expect(run.status == 78)
  }

  @Test func `a turn is published when it is over`() async throws {
    let lines = try await lines("try", "-o", "continuous=false", "--hold", "1s")
    #expect(
      lines.suffix(7) == [
        "turn by 5: 1 change, 4 to 9", "0ms turn -", "50ms turn -", "100ms turn -", "150ms turn -",
        "200ms turn -", "500ms 9",
      ])
    let fires = try await self.lines("try", "--profile", "appkit/gnustep", "-o", "wraps=false", "--summary")
    #expect(fires.last == "turn by 5: 5 changes, 22 to 27")
  }

  @Test func `a choice may have its own names`() async throws {
    let expected = "hold for 1s: 1 change, a to b"
    for profile in ["uikit", "picker"] {
      let lines = try await lines(
        "try", "--profile", profile, "--hold", "1s", "-o", #"choices=["a","b"]"#, "-o", "kind=choice",
        "--summary")
      #expect(lines[1] == expected)
    }
  }

  @Test(arguments: [["--turn=-2"], ["--turn", "-2"]])
  func `try plays a hold, a tap and a turn in virtual time`(turn: [String]) async throws {
    let run = try await Program.run(
      ["try", "--profile", "gtk", "--hold", "600ms", "-o", "step=2"] + turn,
      environment: ["HOME": "/nonexistent"])
    let lines = run.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
    #expect(
      lines == [
        "gtk: GtkSpinButton of GTK 4, as measured", "hold for 600ms: 4 changes, 0 to 8", "0ms press 2",
        "500ms 4", "550ms 6", "600ms 8", "600ms release -", "tap: 1 change, 8 to 10", "0ms press 10",
        "80ms release -", "turn by -2: 2 changes, 10 to 6", "0ms turn 8", "50ms turn 6",
      ])
  }

  @Test(arguments: [
    ("uikit", 85), ("uikit/observed", 100), ("appkit", 59), ("winui", 289), ("gtk", 100), ("rpvertical", 21),
    ("material/wear", 100),
  ])
  func `a hold of ten seconds ends where the profile's does`(profile: String, changes: Int) async throws {
    let lines = try await lines("try", "--profile", profile, "--hold", "10s", "--summary")
    let hold = try #require(lines.first { $0.hasPrefix("hold for 10s") })
    #expect(hold.hasPrefix("hold for 10s: \(changes) changes"), "\(hold)")
  }

  @Test func `a control that is unset, a choice and a button can be tried`() async throws {
    #expect(try await lines("try", "--profile", "winui", "--summary")[2] == "set 0: 1 change, unset to 0")
    #expect(
      try await lines("try", "--profile", "picker", "--hold", "1s", "--summary")[1]
        == "hold for 1s: 3 changes, January to April")
    let button = try await lines("try", "-o", "kind=button", "--hold", "1s")
    #expect(
      button[1...] == [
        "hold for 1s: 2 changes, off to off", "0ms press on", "1000ms release off",
        "tap: 2 changes, off to off", "0ms press on", "80ms release off",
      ])
  }
}
