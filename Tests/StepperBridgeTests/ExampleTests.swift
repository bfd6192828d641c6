import Glibc
import StepperClient
import TestSupport
import Testing

/// The program of Documentation/examples/bridge between two real daemons.
@Suite struct `The example of a bridge` {
  @Test func `keeps two daemons equal, also over restarts`() async throws {
    let (here, there) = (
      try DaemonUnderTest(Self.configuration(20)), try DaemonUnderTest(Self.configuration(60))
    )
    let (own, other) = (here.client, there.client)
    let program = try ChildProcess(
      builtProgram("bridge-example"), ["volume", here.socket, "volume", there.socket])
    try expect(own, at: 60)
    try await own.step("volume", by: 5)
    try expect(other, at: 62.5)
    try await other.set("volume", to: 12.5)
    try expect(own, at: 12.5)

    try there.stop()
    try await own.set("volume", to: 30)
    try program.expectOutput("disconnected")
    try there.start()
    // The outside begins again, with what it remembers.
    try expect(own, at: 12.5)

    try here.stop(SIGKILL)
    try await other.set("volume", to: 44)
    try here.start()
    try expect(own, at: 44)
    #expect(try await other.get("volume").value == 44)
    program.signal(SIGTERM)
    #expect(try program.waitForExit() == -SIGTERM)
  }

  @Test func `the hand wins while it moves the control`() async throws {
    let (here, there) = (
      try DaemonUnderTest(Self.configuration(20)), try DaemonUnderTest(Self.configuration(60))
    )
    let (own, other) = (here.client, there.client)
    let program = try ChildProcess(
      builtProgram("bridge-example"), ["volume", here.socket, "volume", there.socket])
    try expect(own, at: 60)
    try await own.slide("volume", to: 0.7, hold: "hand")
    try expect(other, at: 70)
    try await other.set("volume", to: 10)
    // It waits: the hand has not let go.
    let state = try await own.get("volume")
    #expect(state.editing && state.value == 70)
    try await own.slide("volume", to: 0.8, hold: "hand")
    try expect(other, at: 80)
    try await own.release("volume", hold: "hand")
    #expect(try await own.get("volume").value == 80)
    try await other.set("volume", to: 10)
    try expect(own, at: 10)
    program.signal(SIGTERM)
    _ = try program.waitForExit()
  }

  private static func configuration(_ initial: Int) -> String {
    "[control.volume]\nstep = 0.5\ninitial = \(initial)\nminimum = 0\nmaximum = 100\n"
  }
}
