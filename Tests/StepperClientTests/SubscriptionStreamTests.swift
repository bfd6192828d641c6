import StepperCore
import StepperInterfaces
import TestSupport
import Testing
import Varlink

@testable import StepperClient

@Suite struct `A subscription on its connection` {
  typealias Subscribe = ControlInterface.Subscribe
  typealias Stream = SubscriptionStream<PendingStates, String>

  let start = Instant.now

  func stream(_ reading: SubscriptionReading, waitsForDaemon: Bool = false) -> Stream {
    Stream(
      PendingStates(), reading: reading, SubscriptionPolicy(waitsForDaemon ? .fromStart : .afterReply))
  }

  func open(_ stream: inout Stream) {
    stream.advance(to: start)
    stream.connection = VarlinkClientConnection()
    stream.opened(at: start)
  }

  func receive(_ stream: inout Stream, value: Double, continues: Bool = true) throws {
    let reply = Subscribe.Reply.change([.example("volume", value)], sequence: 1)
    let message = try VarlinkReply.of(Subscribe.self, reply, continues: continues)
    stream.connection?.receive(message.encoded())
    stream.takeReplies(at: start)
  }

  func ended(_ stream: inout Stream) -> [String] {
    stream.takeEndedWaits().map { waiter, outcome in
      switch outcome {
      case .element(let state): "\(waiter) \(state.text ?? "unset")"
      case .interrupted(let error): "\(waiter) interrupted \(error.code)"
      case .resumed: "\(waiter) resumed"
      case .timedOut: "\(waiter) timed out"
      case .finished(let error): "\(waiter) finished \(error.map { "\($0.code)" } ?? "")"
      }
    }
  }

  @Test func `another reason why there is no connection is told, and the same one is not`() throws {
    var stream = stream(.onDemand, waitsForDaemon: true)
    var now = start
    let stopping = StepperClientError(.stopping, "it stops")
    let errors = [stopping, stopping, StepperClientError(.cannotConnect, "it is gone"), .disconnected]
    for (round, error) in errors.enumerated() {
      stream.wait("\(round)", until: nil, at: now)
      stream.advance(to: now)
      stream.failed(error, at: now)
      now = now + .seconds(10)
    }
    #expect(
      ended(&stream) == [
        "0 interrupted stopping", "1 timed out", "2 interrupted cannotConnect", "3 interrupted disconnected",
      ])
    stream.wait("4", until: nil, at: now)
    stream.advance(to: now)
    open(&stream)
    try receive(&stream, value: 1)
    #expect(ended(&stream) == ["4 resumed"])
  }

  @Test func `what is longer than a call may be ends it with the reason`() {
    let patterns = Array(repeating: String(repeating: "x", count: 64), count: 1_200)
    var stream = Stream(
      PendingStates(.init(match: patterns)), reading: .ahead, SubscriptionPolicy(.fromStart))
    stream.wait("A", until: nil, at: start)
    open(&stream)
    #expect(stream.connection?.pendingOutputCount ?? 0 == 0)
    #expect(ended(&stream) == ["A finished invalidParameter"])
  }

  @Test func `read ahead, the latest state waits for the reader`() throws {
    var stream = stream(.ahead)
    #expect(stream.wish == .open)
    open(&stream)
    #expect(stream.deadline == start + .seconds(5))
    try receive(&stream, value: 1)
    try receive(&stream, value: 2)
    stream.wait("A", until: nil, at: start)
    #expect(ended(&stream) == ["A 2"])
    stream.wait("B", until: nil, at: start)
    try receive(&stream, value: 3)
    #expect(ended(&stream) == ["B 3"])
  }

  @Test func `read on demand, nothing happens without a reader`() throws {
    var stream = stream(.onDemand)
    #expect(stream.wish == .pause)
    stream.wait("A", until: nil, at: start)
    #expect(stream.wish == .open)
    open(&stream)
    try receive(&stream, value: 1)
    #expect(ended(&stream) == ["A 1"])
    #expect(stream.wish == .pause)
    // What came in the same piece stays where it is until it is asked for.
    try receive(&stream, value: 2)
    try receive(&stream, value: 3)
    stream.wait("B", until: nil, at: start)
    #expect(ended(&stream) == ["B 2"])
  }

  @Test func `a reader on demand learns once that the connection was lost, and that it is back`() throws {
    var stream = stream(.onDemand)
    stream.wait("A", until: nil, at: start)
    open(&stream)
    try receive(&stream, value: 1)
    for waiter in ["B", "C"] { stream.wait(waiter, until: nil, at: start) }
    stream.failed(.disconnected, at: start)
    #expect(ended(&stream) == ["A 1", "B timed out", "C interrupted disconnected"])
    stream.wait("D", until: nil, at: start)
    #expect(stream.wish == .closed)
    let retry = start + .milliseconds(100)
    #expect(stream.deadline == retry)
    stream.advance(to: retry)
    #expect(stream.wish == .open)
    stream.failed(.disconnected, at: retry)
    stream.advance(to: retry + .seconds(1))
    open(&stream)
    try receive(&stream, value: 2)
    #expect(ended(&stream) == ["D resumed"])
    stream.wait("E", until: nil, at: start)
    #expect(ended(&stream) == ["E 2"])
  }

  @Test func `a wait has a deadline of its own`() {
    var stream = stream(.onDemand)
    let deadline = start + .seconds(1)
    stream.wait("A", until: deadline, at: start)
    open(&stream)
    #expect(stream.deadline == deadline)
    stream.advance(to: deadline)
    #expect(ended(&stream) == ["A timed out"])
  }

  @Test func `a first reply that does not come in time is an error at the start`() {
    var stream = stream(.ahead)
    open(&stream)
    stream.wait("A", until: nil, at: start)
    stream.advance(to: start + .seconds(5))
    #expect(ended(&stream) == ["A finished timedOut"])
    #expect(stream.wish == .over)
    #expect(stream.connection == nil)
  }

  @Test func `connecting takes from the time of the first reply`() {
    var stream = stream(.ahead)
    stream.advance(to: start)
    #expect(stream.wish == .open)
    #expect(stream.deadline == start + .seconds(5))
    stream.advance(to: start + .seconds(5))
    stream.wait("A", until: nil, at: start)
    #expect(ended(&stream) == ["A finished timedOut"])
  }

  @Test func `cancelling drops what is pending`() throws {
    var stream = stream(.ahead)
    open(&stream)
    try receive(&stream, value: 1)
    stream.cancel(at: start)
    #expect(stream.wish == .over)
    #expect(stream.connection == nil)
    stream.wait("A", until: nil, at: start)
    #expect(ended(&stream) == ["A finished "])
  }

  @Test func `a last reply closes the connection, and is followed by another attempt`() throws {
    var stream = stream(.ahead)
    open(&stream)
    try receive(&stream, value: 1, continues: false)
    #expect(stream.connection == nil)
    #expect(stream.wish == .closed)
    stream.wait("A", until: nil, at: start)
    #expect(ended(&stream) == ["A 1"])
  }
}
