import Glibc
import StepperInterfaces
import TestSupport
import Testing
import Varlink

@Suite(.timeLimit(.minutes(10))) struct `stepperctl hold` {
  @Test(arguments: [SIGINT, SIGTERM]) func `releases the button when it is interrupted, and prints the value`(
    number: CInt
  ) throws {
    let daemon = try AnsweringPeer { call in
      switch call.method {
      case ControlInterface.Press.name:
        [try .of(ControlInterface.Press.self, .init(state: SmallDaemon.volume, held: true))]
      case ControlInterface.Release.name:
        [try .of(ControlInterface.Release.self, .init(state: SmallDaemon.volume))]
      default: try SmallDaemon.answer(call)
      }
    }
    let child = try ChildProcess(
      builtProgram("stepperctl"), ["hold", "volume", "increment", "--address", daemon.path])
    #expect(Deadline().wait { daemon.heard.contains { $0.hasPrefix("Press ") } })
    child.signal(number)
    #expect(try child.waitForExit() == 0)
    #expect(child.output == "volume  42 %\n")
    #expect(daemon.heard.contains { $0.hasPrefix("Release ") })
  }

  /// A daemon whose lease has passed, or not, when it is renewed.
  private func daemon(renews: Bool) throws -> AnsweringPeer {
    try AnsweringPeer { call in
      switch call.method {
      case ControlInterface.Press.name:
        [try .of(ControlInterface.Press.self, .init(state: SmallDaemon.volume, held: true))]
      case ControlInterface.Renew.name:
        renews
          ? [try .of(ControlInterface.Renew.self, .init(state: SmallDaemon.volume, held: true))]
          : [VarlinkReply(VarlinkFailure(ControlInterface.NoSuchHold(control: "volume", hold: "stepperctl")))]
      case ControlInterface.Release.name:
        [try .of(ControlInterface.Release.self, .init(state: SmallDaemon.volume))]
      default: try SmallDaemon.answer(call)
      }
    }
  }

  @Test func `renews its lease, so that it is released where the program stands still`() throws {
    let daemon = try daemon(renews: true)
    let child = try ChildProcess(
      builtProgram("stepperctl"), ["hold", "volume", "increment", "--address", daemon.path])
    #expect(Deadline().wait { daemon.heard.count { $0.hasPrefix("Renew ") } > 1 })
    #expect(daemon.heard.contains { $0.hasPrefix("Press ") && $0.contains(#""leaseMilliseconds":2000"#) })
    child.signal(SIGTERM)
    #expect(try child.waitForExit() == 0)
  }

  @Test func `of a button of a device does so as well`() throws {
    let daemon = try AnsweringPeer { try SmallDaemon.answer($0) }
    let child = try ChildProcess(
      builtProgram("stepperctl"), ["press", "panel:plus", "--hold", "60s", "--address", daemon.path])
    #expect(Deadline().wait { daemon.heard.count { $0.hasPrefix("Press ") } > 2 })
    #expect(daemon.heard.allSatisfy { !$0.hasPrefix("Press ") || $0.contains(#""leaseMilliseconds":2000"#) })
    child.signal(SIGTERM)
    _ = try child.waitForExit()
  }

  /// The daemon has renewed it, however late it says so.
  @Test func `of a button of a device outlives a slow daemon`() async throws {
    let daemon = try AnsweringPeer { call in
      if call.method == DeviceInterface.Press.name { _ = poll(nil, 0, 2_200) }
      return try SmallDaemon.answer(call)
    }
    let run = try await Program.run(["press", "panel:plus", "--hold", "3500ms", "--address", daemon.path])
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test func `goes on where the control has ended the hold, as a reload does`() async throws {
    let daemon = try daemon(renews: false)
    let run = try await Program.run(["hold", "volume", "--for", "1200ms", "--address", daemon.path])
    #expect(run == Run(output: "volume  42 %\n"))
    #expect(daemon.heard.count { $0.hasPrefix("Renew ") } == 1)
  }
}
