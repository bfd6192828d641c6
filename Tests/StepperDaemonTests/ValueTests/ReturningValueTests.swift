import FoundationEssentials
import Glibc
import StepperInterfaces
import TestSupport
import Testing
import Varlink

/// Values over reloads that change, remove and bring back their controls, and over configurations that are not there.
@Suite(.timeLimit(.minutes(10)))
struct ReturningValueTests {
  private static let panel = "[device.panel]\nvirtual = true\n"

  private func set(_ client: WireClient, _ control: String, _ text: String) throws {
    _ = try client.call(ControlInterface.Set.self, .init(control: control, text: text))
  }

  private func reload(_ daemon: RunningDaemon, _ text: String) throws {
    try daemon.folder.write(text, to: "stepperd.toml")
    _ = try daemon.client().call(ManagerInterface.Reload.self, NoParameters())
  }

  private func restarted(_ daemon: RunningDaemon, _ text: String) throws -> RunningDaemon {
    #expect(try daemon.stop() == 0)
    return try RunningDaemon(text, in: daemon.folder)
  }

  @Test func `a control that was away for a reload comes back with the value it had`() throws {
    let daemon = try RunningDaemon("[control.volume]\n[control.bass]\n")
    let client = try daemon.client()
    try set(client, "volume", "42")
    try reload(daemon, "[control.bass]\n")
    try reload(daemon, "[control.bass]\n[control.volume]\n")
    let state = try client.state()
    #expect(state.value == 42 && state.origin == .restored)
  }

  @Test func `a control that was of another kind for a reload comes back with the value it had`() throws {
    var daemon = try RunningDaemon("control.volume = { initial = 10 }")
    try set(daemon.client(), "volume", "42")
    try reload(daemon, "control.volume = { kind = \"toggle\" }")
    #expect(try daemon.client().state().value == 0)
    try reload(daemon, "control.volume = { initial = 10 }")
    #expect(try daemon.client().state().value == 42)
    daemon = try restarted(daemon, "control.volume = { initial = 10 }")
    #expect(try daemon.client().state().value == 42)
  }

  @Test func `what a control was before it left is saved, too`() throws {
    var daemon = try RunningDaemon("[control.volume]\n[control.bass]\n")
    try set(daemon.client(), "volume", "42")
    try reload(daemon, "[control.bass]\n")
    daemon = try restarted(daemon, "[control.bass]\n")
    try reload(daemon, "[control.bass]\n[control.volume]\n")
    #expect(try daemon.client().state().value == 42)
  }

  @Test func `a reload while a save is due loses nothing`() throws {
    let daemon = try RunningDaemon(
      "[daemon]\nsave-after = \"1h\"\nsave-interval = \"1h\"\n[control.volume]\n")
    try set(daemon.client(), "volume", "42")
    try reload(daemon, "[daemon]\nsave-after = \"100ms\"\nsave-interval = \"100ms\"\n[control.bass]\n")
    // Not there before the first save.
    let isSaved = Deadline().wait { (try? daemon.savedText())?.contains("\"42\"") ?? false }
    #expect(isSaved)
  }

  @Test func `a choice is remembered by its name, wherever that stands in the list`() throws {
    var daemon = try RunningDaemon(#"control.c = { choices = ["low", "mid", "high"] }"#)
    try set(daemon.client(), "c", "mid")
    let longer = #"control.c = { choices = ["off", "high", "low", "mid"] }"#
    try reload(daemon, longer)
    var state = try daemon.client().state(of: "c")
    #expect(state.text == "mid" && state.value == 3)
    daemon = try restarted(daemon, #"control.c = { choices = ["mid", "high"] }"#)
    state = try daemon.client().state(of: "c")
    #expect(state.text == "mid" && state.value == 0)
  }

  @Test func `a choice whose name is gone is what it is at first, until the name is there again`() throws {
    let choices = #"control.c = { choices = ["low", "mid", "high"], initial = "high" }"#
    let fewer = #"control.c = { choices = ["low", "high"], initial = "high" }"#
    var daemon = try RunningDaemon(choices)
    try set(daemon.client(), "c", "mid")
    try reload(daemon, fewer)
    #expect(try daemon.client().state(of: "c").text == "high")
    try reload(daemon, choices)
    #expect(try daemon.client().state(of: "c").text == "mid")
    daemon = try restarted(daemon, fewer)
    #expect(try daemon.client().state(of: "c").text == "high")
    daemon = try restarted(daemon, choices)
    #expect(try daemon.client().state(of: "c").text == "mid")
    // Who chooses another one meanwhile has chosen.
    try reload(daemon, fewer)
    try set(daemon.client(), "c", "low")
    try reload(daemon, choices)
    #expect(try daemon.client().state(of: "c").text == "low")
  }

  @Test func `who sets what the range and the choices have left has chosen it`() throws {
    let whole = "[control.volume]\n[control.c]\nchoices = [\"tape\", \"radio\"]\n"
    var daemon = try RunningDaemon(whole)
    try set(daemon.client(), "volume", "80")
    try set(daemon.client(), "c", "tape")
    daemon = try restarted(daemon, "[control.volume]\nmaximum = 50\n[control.c]\nchoices = [\"radio\"]\n")
    let client = try daemon.client()
    #expect(try client.state().value == 50 && client.state(of: "c").text == "radio")
    try set(client, "volume", "50")
    _ = try client.call(ControlInterface.Reset.self, .init(control: "c"))
    daemon = try restarted(daemon, whole)
    #expect(try daemon.client().state().value == 50 && daemon.client().state(of: "c").text == "radio")
  }

  @Test func `a turn that has not come to rest is saved at the stop`() throws {
    let text = "\(Self.panel)[control.volume]\nrotate = \"panel:dial\"\ncontinuous = false\n"
    var daemon = try RunningDaemon(text)
    try daemon.client().turn(7)
    daemon = try restarted(daemon, text)
    #expect(try daemon.client().state().value == 7)
  }

  @Test func `the number of a change is of one start of the daemon`() throws {
    var daemon = try RunningDaemon("[control.volume]\n")
    try set(daemon.client(), "volume", "40")
    let former = try daemon.client().state()
    daemon = try restarted(daemon, "[control.volume]\n")
    let client = try daemon.client()
    #expect(try client.state().value == 40)
    let failure = try client.failure(
      ControlInterface.Set.self, .init(control: "volume", value: 41, ifSequence: former.sequence))
    #expect(failure == ControlInterface.Changed.name)
  }

  @Test func `a choice that is not remembered keeps its name over a reload all the same`() throws {
    let daemon = try RunningDaemon(#"control.c = { choices = ["low", "mid"], restore = false }"#)
    try set(daemon.client(), "c", "mid")
    try reload(daemon, #"control.c = { choices = ["off", "low", "mid"], restore = false }"#)
    #expect(try daemon.client().state(of: "c").text == "mid")
  }

  @Test func `what nobody has changed follows the configuration`() throws {
    var daemon = try RunningDaemon("\(Self.panel)[control.volume]\ninitial = 5\nrotate = \"panel:dial\"")
    _ = try daemon.client().call(ManagerInterface.Save.self, NoParameters())
    daemon = try restarted(daemon, "\(Self.panel)[control.volume]\ninitial = 6\nrotate = \"panel:dial\"")
    #expect(try daemon.client().state().value == 6)
  }

  // MARK: Configurations that are not there

  enum Loss: Sendable, CustomTestStringConvertible {
    case removed
    case text(String)
    case kind(TemporaryFolder.Kind)

    static let all: [Loss] =
      [.removed, .text(String(repeating: "# comment\n", count: 200_000))] + empty + noFile
    static let empty: [Loss] = [.text(""), .text("\n \t\r\n"), .text("\u{feff}")]
    static let noFile: [Loss] = [.kind(.directory), .kind(.fifo), .kind(.device), .kind(.dangling)]

    var testDescription: String {
      switch self {
      case .removed: "removed"
      case .text(let text): "\(text.utf8.count) bytes: \(text.prefix(12).debugDescription)"
      case .kind(let kind): "\(kind)"
      }
    }

    func happen(in folder: TemporaryFolder, to name: String) throws {
      folder.remove(name)
      switch self {
      case .removed: break
      case .text(let text): try folder.write(text, to: name)
      case .kind(let kind): try folder.make(kind, at: name)
      }
    }
  }

  @Test(arguments: Loss.all)
  func `a configuration that is lost is an error that changes nothing`(loss: Loss) throws {
    let folder = try TemporaryFolder()
    let name = "config/stepperd/stepperd.toml"
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/config/stepperd", withIntermediateDirectories: true)
    try folder.write("[control.bass]\n", to: name)
    // In the usual place, where the built-in configuration would be used if there were none.
    let daemon = try RunningDaemon(in: folder)
    let client = try daemon.client()
    try set(client, "bass", "42")
    try loss.happen(in: folder, to: name)
    try client.send(ManagerInterface.Reload.self, NoParameters())
    let failure = try #require(try client.reply().failure)
    let problems = try #require(failure.decode(ManagerInterface.ConfigurationInvalid.self)).problems
    #expect(problems.count == 1 && problems[0].file == "\(folder.path)/\(name)", "\(problems)")
    daemon.process.signal(SIGHUP)
    try daemon.process.expectOutput("nothing was changed")
    #expect(try client.state(of: "bass").value == 42)
    folder.remove(name)
    try folder.write("[control.bass]\n[control.volume]\n", to: name)
    _ = try client.call(ManagerInterface.Reload.self, NoParameters())
    #expect(try client.state(of: "bass").value == 42)
  }

  @Test func `without a configuration from the start there may go on to be none`() throws {
    let daemon = try RunningDaemon()
    let client = try daemon.client()
    try set(client, "volume", "42")
    _ = try client.call(ManagerInterface.Reload.self, NoParameters())
    #expect(try client.state().value == 42)
  }

  @Test(arguments: Loss.empty)
  func `an empty configuration is one without controls, with a warning`(loss: Loss) throws {
    let folder = try TemporaryFolder()
    try loss.happen(in: folder, to: "stepperd.toml")
    let daemon = try RunningDaemon(in: folder, arguments: ["--config", "\(folder.path)/stepperd.toml"])
    try daemon.process.expectOutput("stepperd.toml: warning: it is empty and defines no control")
    let client = try daemon.client()
    #expect(try client.call(ControlInterface.List.self, .init()).controls.isEmpty)
    _ = try client.call(ManagerInterface.Reload.self, NoParameters())
    try reload(daemon, "[control.bass]\n")
    #expect(try client.call(ControlInterface.List.self, .init()).controls.count == 1)
    // Where there was something, there must be.
    try loss.happen(in: folder, to: "stepperd.toml")
    try client.send(ManagerInterface.Reload.self, NoParameters())
    #expect(try client.reply().failure?.decode(ManagerInterface.ConfigurationInvalid.self) != nil)
  }

  @Test(arguments: Loss.noFile)
  func `a configuration that is none is an error at the start`(loss: Loss) throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/stepperd.toml"
    try loss.happen(in: folder, to: "stepperd.toml")
    let environment = RunningDaemon.environment(in: folder)
    let started = try run(builtProgram("stepperd"), ["--config", path], environment: environment)
    #expect(started.status == 78 && started.output.contains(path), "\(started)")
    let checked = try run(builtProgram("stepperd"), ["--check", path], environment: environment)
    #expect(checked.status == 78 && checked.output.contains(path), "\(checked)")
  }
}
