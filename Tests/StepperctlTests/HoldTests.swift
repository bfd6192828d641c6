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
    #expect(Deadline(in: 20).wait { daemon.heard.contains { $0.hasPrefix("Press ") } })
    child.signal(number)
    #expect(try child.waitForExit(within: 20) == 0)
    #expect(child.output == "volume  42 %\n")
    #expect(daemon.heard.contains { $0.hasPrefix("Release ") })
  }
}
