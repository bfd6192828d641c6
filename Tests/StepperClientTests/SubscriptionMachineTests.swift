import StepperCore
import Testing
@testable import StepperClient

@Suite struct `The logic of a subscription` {
  let start = Instant.now
  let lost = StepperClientError(.disconnected, "lost")
  let absent = StepperClientError(.cannotConnect, "absent")

  func machine(waitsForDaemon: Bool = false) -> SubscriptionMachine {
    SubscriptionMachine(SubscriptionPolicy(waitsForDaemon ? .fromStart : .afterReply))
  }

  func connected() -> SubscriptionMachine {
    var machine = machine()
    machine.attempted(at: start)
    machine.received(at: start)
    return machine
  }

  @Test func `connects first`() {
    #expect(machine().state == .disconnected)
  }

  @Test func `gives the first reply five seconds and later ones for ever`() {
    var machine = machine()
    machine.attempted(at: start)
    #expect(machine.state == .reading(until: start + .seconds(5)))
    machine.received(at: start)
    #expect(machine.state == .reading(until: nil))
  }

  @Test func `a reader that comes back late gives the first reply its time again`() {
    var machine = machine()
    machine.attempted(at: start)
    machine.continued(at: start + .seconds(4))
    #expect(machine.state == .reading(until: start + .seconds(5)))
    machine.continued(at: start + .seconds(60))
    #expect(machine.state == .reading(until: start + .seconds(65)))
  }

  @Test func `a daemon absent at the start is an error`() {
    var machine = machine()
    machine.failed(absent, at: start)
    #expect(machine.state == .finished(absent))
  }

  @Test func `a daemon absent at the start is waited for if asked`() {
    var machine = machine(waitsForDaemon: true)
    machine.failed(absent, at: start)
    #expect(machine.state == .waiting(until: start + .milliseconds(100)))
  }

  @Test(arguments: [
    StepperClientError.Code.disconnected, .stopping, .timedOut, .cannotConnect,
  ]) func `tries again after`(_ code: StepperClientError.Code) {
    var machine = connected()
    machine.received(at: start)
    machine.failed(StepperClientError(code, ""), at: start)
    let retry = start + .milliseconds(100)
    #expect(machine.state == .waiting(until: retry))
    machine.waited(until: retry)
    #expect(machine.state == .disconnected)
  }

  @Test(arguments: [
    StepperClientError.Code.invalidParameter, .permissionDenied, .protocolViolation, .unknown,
  ]) func `ends for good after`(_ code: StepperClientError.Code) {
    var machine = connected()
    let error = StepperClientError(code, "")
    machine.failed(error, at: start)
    #expect(machine.state == .finished(error))
  }

  @Test func `one that always tries again ends only when it is cancelled`() {
    var machine = SubscriptionMachine(SubscriptionPolicy(.always))
    machine.failed(StepperClientError(.permissionDenied, ""), at: start)
    #expect(machine.state == .waiting(until: start + .milliseconds(100)))
    machine.failed(.cancelled, at: start)
    #expect(machine.state == .finished(nil))
  }

  @Test func `an attempt that differs from the one that failed begins at once`() {
    var machine = connected()
    machine.failed(StepperClientError(.invalidParameter, ""), isAdapted: true, at: start)
    #expect(machine.state == .disconnected)
  }

  @Test func `being cancelled is an end without an error`() {
    var machine = connected()
    machine.failed(.cancelled, at: start)
    #expect(machine.state == .finished(nil))
  }

  @Test func `does not connect before the wait is over`() {
    var machine = connected()
    machine.failed(lost, at: start)
    machine.waited(until: start + .milliseconds(99))
    #expect(machine.state == .waiting(until: start + .milliseconds(100)))
  }

  @Test func `waits longer and longer, up to five seconds`() {
    var machine = connected()
    var now = start
    var waits: [Duration] = []
    for _ in 0..<9 {
      machine.failed(absent, at: now)
      guard case .waiting(let until) = machine.state else { break }
      waits.append(until - now)
      now = until
      machine.waited(until: now)
    }
    #expect(waits == [100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000].map { Duration.milliseconds($0) })
  }

  @Test func `only a reply makes it patient again, not a connection`() {
    var machine = connected()
    machine.failed(lost, at: start)
    machine.waited(until: start + .seconds(1))
    machine.attempted(at: start)
    machine.failed(lost, at: start)
    #expect(machine.state == .waiting(until: start + .milliseconds(200)))
    machine.waited(until: start + .seconds(1))
    machine.attempted(at: start)
    machine.received(at: start)
    machine.failed(lost, at: start)
    #expect(machine.state == .waiting(until: start + .milliseconds(100)))
  }

  @Test func `a finished one stays finished`() {
    var machine = machine()
    machine.failed(absent, at: start)
    machine.failed(lost, at: start)
    machine.attempted(at: start)
    machine.received(at: start)
    #expect(machine.state == .finished(absent))
  }
}
