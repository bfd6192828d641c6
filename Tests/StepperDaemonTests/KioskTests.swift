import FoundationEssentials
import Glibc
import StepperInterfaces
import TestSupport
import Testing
import Varlink

/// What a control needs at a kiosk, through the real daemon.
@Suite(.timeLimit(.minutes(10)))
struct KioskTests {
  private typealias Control = ControlInterface

  private static let panel = "[device.panel]\nvirtual = true\n"

  private func set(_ client: WireClient, _ control: String, _ text: String) throws {
    _ = try client.call(Control.Set.self, .init(control: control, text: text))
  }

  private func reload(_ daemon: RunningDaemon, _ text: String) throws {
    try daemon.folder.write(text, to: "stepperd.toml")
    _ = try daemon.client().call(ManagerInterface.Reload.self, NoParameters())
  }

  private func restarted(_ daemon: RunningDaemon, _ text: String) throws -> RunningDaemon {
    #expect(try daemon.stop() == 0)
    return try RunningDaemon(text, in: daemon.folder)
  }

  /// Waits until a hook has written `text` to the file at `path`.
  private func eventually(_ path: String, _ text: String) throws {
    var last = ""
    let isThere = Deadline().wait {
      // Not there before the hook has run.
      last = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      return last == text
    }
    if !isThere { throw TestFailure("\(path) is \(last), not \(text)") }
  }

  // MARK: Restore

  @Test(arguments: [("80", 40.0), ("5", 10), ("30", 30)])
  func `a restored value is moved into its bounds, and stays saved`(saved: String, restored: Double) throws {
    let text = "control.volume = { initial = 20, restore = { at-least = 10, at-most = 40 } }"
    var daemon = try RunningDaemon(text)
    try set(daemon.client(), "volume", saved)
    daemon = try restarted(daemon, text)
    let state = try daemon.client().state()
    #expect(state.value == restored && state.origin == .restored)
    daemon = try restarted(daemon, "control.volume = {}")
    #expect(try daemon.client().state().text == saved)
  }

  @Test func `a value that returns after a reload is moved into its bounds`() throws {
    let text = "control.volume = { restore = { at-most = 40 } }\n"
    let daemon = try RunningDaemon(text)
    try set(daemon.client(), "volume", "80")
    try reload(daemon, "[control.bass]\n")
    try reload(daemon, text)
    #expect(try daemon.client().state().value == 40)
  }

  // MARK: Idle

  @Test func `a control is reset, its hook is run, and the value is saved`() throws {
    let folder = try TemporaryFolder()
    let text =
      Self.panel + """
        [control.source]
        choices = ["radio", { name = "tape", title = "Tape deck" }]
        initial = "radio"
        reset-after = "1s"
        increment = "panel:plus"
        on-idle = ["/bin/sh", "-c", "echo {moment} {text} {origin} [{device}] >> \(folder.path)/idle"]
        on-change = ["/bin/sh", "-c", "echo {text-title} $STEPPER_DEVICE >> \(folder.path)/changes"]

        """
    var daemon = try RunningDaemon(text)
    let client = try daemon.client()
    try client.press()
    try client.release()
    try eventually("\(folder.path)/idle", "idle radio idle []\n")
    try eventually("\(folder.path)/changes", "Tape deck panel\nradio\n")
    let state = try client.state(of: "source")
    #expect(state.text == "radio" && state.origin == .idle)
    daemon = try restarted(daemon, text.replacing(#"initial = "radio""#, with: #"initial = "tape""#))
    #expect(try daemon.client().state(of: "source").text == "radio")
  }

  @Test func `the first touch after a restart ends a period in which the board was idle`() throws {
    let folder = try TemporaryFolder()
    let hooks =
      "on-idle = [\"touch\", \"\(folder.path)/idle\"]\non-active = [\"touch\", \"\(folder.path)/active\"]\n"
    let text =
      "[daemon]\nidle-after = \"1s\"\n\(hooks)\(Self.panel)[control.volume]\nincrement = \"panel:plus\"\n"
    var daemon = try RunningDaemon(text)
    try TestSupport.eventually { folder.contains("idle") }
    daemon = try restarted(daemon, text.replacing("1s", with: "1h"))
    try daemon.client().turn(1)
    try TestSupport.eventually { folder.contains("active") }
  }

  @Test func `the board has hooks of its own`() throws {
    let folder = try TemporaryFolder()
    func hook(_ name: String) -> String {
      "\(name) = [\"/bin/sh\", \"-c\", \"echo {moment} [{control}] [{device}] {origin} >> \(folder.path)/board\"]\n"
    }
    let daemon = try RunningDaemon(
      "[daemon]\nidle-after = \"1s\"\n" + hook("on-idle") + hook("on-active") + Self.panel
        + "[control.daemon]\nincrement = \"panel:plus\"\nreset-after = \"1h\"\n" + hook("on-idle"))
    try eventually("\(folder.path)/board", "idle [] [] idle\n")
    let client = try daemon.client()
    try client.turn(1)
    try eventually(
      "\(folder.path)/board", "idle [] [] idle\nactive [] [panel] device\nidle [] [] idle\n")
    try set(client, "daemon", "5")
    try eventually(
      "\(folder.path)/board",
      "idle [] [] idle\nactive [] [panel] device\nidle [] [] idle\nactive [] [] client\nidle [] [] idle\n")
    // A run is counted when the daemon has learned that it was started, which may be after it has written.
    try TestSupport.eventually {
      let metrics = try client.call(ManagerInterface.GetStatus.self, NoParameters()).metrics ?? []
      return metrics.contains { $0.object == "on-idle" && $0.value == 3 }
    }
  }

  // MARK: Start

  @Test func `a hook runs at the start and after a reload, with the present value`() throws {
    let folder = try TemporaryFolder()
    func text(_ hook: String) -> String {
      """
      [control.volume]
      initial = 20
      on-change = { command = ["/bin/sh", "-c", "echo {previous} {value} {origin} >> \(folder.path)/out"]\(hook) }
      on-end = ["true"]

      """
    }
    let atStart = text(", at-start = true")
    var daemon = try RunningDaemon(atStart)
    try eventually("\(folder.path)/out", "20 20 startup\n")
    try set(daemon.client(), "volume", "30")
    try eventually("\(folder.path)/out", "20 20 startup\n20 30 client\n")
    daemon = try restarted(daemon, atStart)
    try eventually("\(folder.path)/out", "20 20 startup\n20 30 client\n30 30 restored\n")
    try reload(daemon, atStart)
    try eventually(
      "\(folder.path)/out", "20 20 startup\n20 30 client\n30 30 restored\n30 30 restored\n")
    try reload(daemon, text(""))
    try set(daemon.client(), "volume", "40")
    try eventually(
      "\(folder.path)/out",
      "20 20 startup\n20 30 client\n30 30 restored\n30 30 restored\n30 40 client\n")
  }

  // MARK: Choices

  @Test func `titles of choices are described and spoken; values are kept by name`() throws {
    let long = #"{ name = "aux", title = { en = "Line in", de = "Eingang" } }"#
    let daemon = try RunningDaemon("control.source = { choices = [\"fm\", \(long)], initial = \"fm\" }")
    let client = try daemon.client()
    try set(client, "source", "aux")
    let described = try client.call(Control.Describe.self, .init(control: "source", language: "de-AT"))
    #expect(described.description.choices == ["fm", "aux"])
    #expect(described.description.choiceTitles == ["fm", "Line in"])
    #expect(described.description.choiceTranslations == [[:], ["en": "Line in", "de": "Eingang"]])
    #expect(described.description.hasInputs == false)
    #expect(described.accessibility.speech == "source, Eingang, adjustable")
    #expect(described.state.text == "aux" && described.state.value == 1)
    try reload(daemon, "control.source = { choices = [\(long), \"dab\", \"fm\"], initial = \"fm\" }")
    #expect(try client.state(of: "source").value == 0)
    try reload(daemon, "control.source = { choices = [\"dab\", \"fm\"], initial = \"fm\" }")
    #expect(try client.state(of: "source").text == "fm")
  }

  @Test func `descriptions that are too long for a reply are without titles`() throws {
    let titles = (0..<60).map { "l\($0) = \"\(String(repeating: "x", count: 250))\"" }.joined(separator: ", ")
    let choices = (0..<50).map { "{ name = \"c\($0)\", title = { \(titles) } }" }.joined(separator: ", ")
    let daemon = try RunningDaemon("control.c = { choices = [\(choices)] }")
    let client = try daemon.client()
    let description = try client.call(Control.Describe.self, .init(control: "c")).description
    #expect(description.choices == nil && description.choiceTitles == nil)
    #expect(try client.call(Control.List.self, .init()).controls.count == 1)
  }

  // MARK: Set

  @Test(arguments: [(1e30, 100.0), (-1e30, 0), (1e308, 100)])
  func `numbers beyond all are clamped, or out of range`(number: Double, end: Double) throws {
    let daemon = try RunningDaemon(
      "control.volume = { initial = 50 }\ncontrol.free = { minimum = \"none\", maximum = \"none\" }")
    let client = try daemon.client()
    let refused = try client.failure(Control.Set.self, .init(control: "volume", value: number))
    #expect(refused == Control.OutOfRange.name)
    let reply = try client.call(Control.Set.self, .init(control: "volume", value: number, clamp: true))
    #expect(reply.state.value == end)
    let free = try client.failure(Control.Set.self, .init(control: "free", value: number, clamp: true))
    #expect(free == ServiceInterface.InvalidParameter.name)
  }

  @Test func `a check has the errors of a set, and sets nothing`() throws {
    let daemon = try RunningDaemon("control.volume = { initial = 50 }")
    let client = try daemon.client()
    let checked = try client.call(Control.Set.self, .init(control: "volume", text: "60", check: true))
    #expect(checked.state.value == 50)
    let beyond = try client.failure(Control.Set.self, .init(control: "volume", text: "600", check: true))
    #expect(beyond == Control.OutOfRange.name)
    let text = try client.failure(Control.Set.self, .init(control: "volume", text: "x", check: true))
    #expect(text == Control.NoSuchValue.name)
    let changed = try client.failure(
      Control.Set.self, .init(control: "volume", text: "60", ifSequence: 999, check: true))
    #expect(changed == Control.Changed.name)
    #expect(try client.state().value == 50)
  }

  // MARK: Groups and programs

  @Test func `a group for the socket of a user's daemon is refused at a reload too`() throws {
    let daemon = try RunningDaemon("[control.volume]\n")
    try daemon.folder.write("[daemon]\nsocket-group = \"root\"\n[control.volume]\n", to: "stepperd.toml")
    let failure = try daemon.client().failure(ManagerInterface.Reload.self, NoParameters())
    #expect(failure == ManagerInterface.ConfigurationInvalid.name)
    try daemon.process.expectOutput("only the system's daemon has one")
  }

  @Test func `the daemon starts without an account that a package took along, and says so`() throws {
    let text = "[daemon]\nproviders = [\"user:stepperd-none\"]\n[control.volume]\n"
    let daemon = try RunningDaemon(text)
    let problem =
      "there is no user \"stepperd-none\", so this entry has no effect; install the package stepperd-none, "
      + "then run: stepperctl reload"
    try daemon.process.expectOutput("warning: daemon.providers: \(problem)")
    let client = try daemon.client()
    let status = try client.call(ManagerInterface.GetStatus.self, NoParameters())
    #expect(status.problems == ["daemon.providers: \(problem)"])
    let reloaded = try client.call(ManagerInterface.Reload.self, NoParameters())
    #expect(reloaded.problems.map(\.message) == [problem])
    try daemon.folder.write("[control.volume]\n", to: "stepperd.toml")
    _ = try client.call(ManagerInterface.Reload.self, NoParameters())
    #expect(try client.call(ManagerInterface.GetStatus.self, NoParameters()).problems == [])
  }

  @Test func `a program that does not exist is a warning`() throws {
    let daemon = try RunningDaemon("[control.volume]\n")
    let text = """
      [control.volume]
      on-change = ["/nonexistent/mixer"]
      on-end = ["no-such-program-anywhere"]
      on-reset = ["true"]
      on-limit = ["/etc/passwd"]
      """
    let problems = try daemon.client().call(ManagerInterface.Check.self, .init(text: text)).problems
    #expect(problems.allSatisfy { $0.severity == .warning })
    #expect(
      problems.map(\.message) == [
        "\"/nonexistent/mixer\" does not exist, so the command cannot be run",
        "\"no-such-program-anywhere\" is in no directory of PATH, so the command cannot be run",
        "\"/etc/passwd\" is not executable, so the command cannot be run",
      ])
  }
}
