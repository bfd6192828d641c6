import FoundationEssentials
import Glibc
import StepperInterfaces
import TestSupport
import Testing
import Varlink

/// A daemon that stands still for seconds, as one does whose machine has no time for it (`SIGSTOP`, then `SIGCONT`).
@Suite(.timeLimit(.minutes(10)))
struct StoppedTests {
  @Test func `a lease that was renewed meanwhile goes on`() throws {
    let daemon = try RunningDaemon("[control.volume]\n")
    let client = try daemon.client()
    let pressed = try client.call(
      ControlInterface.Press.self,
      .init(control: "volume", action: .toMaximum, hold: "a", leaseMilliseconds: 1_000)
    )
    #expect(pressed.held)
    daemon.process.signal(SIGSTOP)
    try client.send(
      ControlInterface.Renew.self, .init(control: "volume", hold: "a", leaseMilliseconds: 10_000))
    #expect(!client.hasMessage(within: 2))
    daemon.process.signal(SIGCONT)
    let reply = try client.reply()
    #expect(reply.error == nil, "\(reply)")
    #expect(try client.state().editing)
  }

  @Test func `what is held goes on at its pace, and who waits is answered`() throws {
    let daemon = try RunningDaemon(
      "\(SavingTests.panel)[control.volume]\nmaximum = 1000\nincrement = \"panel:plus\"\n"
        + "repeat = { delay = \"100ms\", interval = \"100ms\" }")
    let (follower, panel) = (try daemon.client(), try daemon.client())
    let waiting = try (0..<20).map { _ in try daemon.client() }
    for client in waiting { _ = try client.state() }
    try follower.subscribe()
    try panel.press()
    var last = try follower.values { ($0.value ?? 0) >= 5 }.last ?? 0
    daemon.process.signal(SIGSTOP)
    // From here on it says nothing more, once what it has said is read.
    while follower.hasMessage(within: 0.3) { last = try follower.next().states.last?.value ?? last }
    for client in waiting { try client.send(ControlInterface.Get.self, .init(control: "volume")) }
    #expect(!follower.hasMessage(within: 2.7))
    let start = Date()
    daemon.process.signal(SIGCONT)
    for client in waiting { #expect(try client.reply().error == nil) }
    for _ in 0..<10 {
      let value = try #require(try panel.state().value)
      let elapsed = Date().timeIntervalSince(start)
      // Of the 30 steps of the three seconds none but those that the tolerance for stalls (250 ms) allows.
      #expect(value <= last + elapsed / 0.1 + 4, "\(value) after \(elapsed) s, and \(last) before")
    }
    try panel.release()
    let status = try panel.call(ManagerInterface.GetStatus.self, NoParameters())
    #expect(status.stalls >= 1 && status.clients == 22)
  }
}
