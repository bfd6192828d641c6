import StepperInterfaces
import TestSupport
import Testing
import Varlink

@Suite(.timeLimit(.minutes(10))) struct `How stepperctl ends` {
  func run(_ daemon: AnsweringPeer, _ arguments: String...) async throws -> Run {
    try await Program.run(arguments + ["--address", daemon.path])
  }

  @Test(arguments: [
    ["--nonsense"], ["step", "volume", "x"], ["step", "volume"], ["set", "volume"], ["press", "panel"],
    ["move", "panel:fader", "140%"], ["list", "--timeout", "soon"], ["get"],
  ]) func `usage is 2`(arguments: [String]) async throws {
    let run = try await Program.run(arguments)
    #expect(run.status == 2)
    #expect(run.output.isEmpty)
    #expect(run.errors.hasPrefix("stepperctl: "))
    #expect(run.errors.contains("Usage: stepperctl"))
  }

  @Test func `without a daemon it is 3, and says where it looked`() async throws {
    let expected = """
      stepperctl: cannot connect to stepperd; tried
        /nonexistent/stepperd/org.stepperd: No such file or directory
        /run/stepperd/org.stepperd: No such file or directory
        start it with 'systemctl start stepperd' (system service) or 'stepperd' (this user's),
        or name its socket in STEPPERD_ADDRESS

      """
    let run = try await Program.run(["list"], environment: ["XDG_RUNTIME_DIR": "/nonexistent"])
    #expect(run == Run(errors: expected, status: 3))
  }

  @Test func `an unknown control is 4, with what was meant`() async throws {
    let daemon = try SmallDaemon.start()
    let expected = "stepperctl: there is no control 'volmue'; did you mean 'volume'?\n"
    #expect(try await run(daemon, "get", "volmue") == Run(errors: expected, status: 4))
    #expect(
      try await run(daemon, "get", "zzz", "volume")
        == Run(output: "volume  42 %\n", errors: "stepperctl: there is no control 'zzz'\n", status: 4))
  }

  @Test func `an unknown device is 1, with what was meant`() async throws {
    let expected = "stepperctl: there is no device 'panle'; did you mean 'panel'?\n"
    let daemon = try SmallDaemon.start()
    #expect(try await run(daemon, "press", "panle:plus") == Run(errors: expected, status: 1))
  }

  @Test func `a refused reload is 1, with the problems`() async throws {
    let expected = """
      stepperctl: the configuration has errors; the daemon keeps the former one
      /etc/x.toml:3:1: error: control.volume.maximun: unknown key (did you mean "maximum"?)

      """
    let daemon = try SmallDaemon.start()
    #expect(try await run(daemon, "reload") == Run(errors: expected, status: 1))
  }

  @Test func `no answer in time is 124`() async throws {
    let listener = try PeerListener()
    let run = try await Program.run(["get", "volume", "--address", listener.path, "--timeout", "50ms"])
    #expect(run.status == 124)
    #expect(run.errors == "stepperctl: no answer to org.stepperd.control.Get within 0.05 seconds\n")
  }

  @Test func `help and the version are 0, on the standard output`() async throws {
    #expect(try await Program.run(["--version"]) == Run(output: "stepperctl \(productVersion)\n"))
    let help = try await Program.run(["--help"])
    #expect(help.status == 0)
    #expect(help.output.contains("[--json] <subcommand>"))
  }

  @Test func `completions without a daemon are none, silently`() async throws {
    let run = try await Program.run(
      ["---completion", "get", "--", "positional@0", "0", "0"],
      environment: ["STEPPERD_ADDRESS": "/nonexistent"])
    #expect(run.errors.isEmpty)
    #expect(run.output.filter { !$0.isWhitespace } == "")
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func `completion scripts ask the program`(shell: String)
    async throws
  {
    let run = try await Program.run(["--generate-completion-script", shell])
    #expect(run.status == 0)
    #expect(run.output.contains("---completion"))
    #expect(!run.output.contains("banghist"))
    #expect(run.output.contains("complete -F __stepperctl_complete_words") == (shell == "bash"))
    let other = try await Program.run(["--generate-completion-script=\(shell)"])
    #expect(other.output == run.output)
    let own = try await Program.run(
      ["--generate-completion-script"], environment: ["SHELL": "/usr/bin/\(shell)"])
    #expect(own.output == run.output)
  }

  @Test func `watch tells each change once and ends with an error that does not pass`() async throws {
    let daemon = try AnsweringPeer { call in
      guard call.method == ControlInterface.Subscribe.name else { return try SmallDaemon.answer(call) }
      var first = ControlInterface.Subscribe.Reply.snapshot([.example("volume", 1)], sequence: 1)
      first.descriptions = [
        .init(
          control: "volume", kind: .continuous, profile: "uikit", unit: "%", format: .init(), wrap: false,
          writable: true)
      ]
      let states: [ControlInterface.State] = [
        .example("volume", 1, turned: 3, sequence: 2), .example("volume", 2, limit: .maximum, sequence: 3),
        .example("volume", 2, limit: .maximum, live: false, sequence: 4),
      ]
      let changes = try states.map {
        try VarlinkReply.of(
          ControlInterface.Subscribe.self, .change([$0], sequence: $0.sequence), continues: true)
      }
      return try [.of(ControlInterface.Subscribe.self, first, continues: true)] + changes + [
        VarlinkReply(VarlinkFailure(ServiceInterface.PermissionDenied()))
      ]
    }
    let human = try await run(daemon, "watch")
    #expect(human.output == "volume  1 %\nvolume  2 %  at maximum\nvolume  2 %  at maximum, no device\n")
    #expect(human.status == 1)
    let json = try await run(daemon, "watch", "volume", "--json")
    #expect(json.output.split(separator: "\n").count == 4)
  }
}
