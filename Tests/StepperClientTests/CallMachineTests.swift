import StepperCore
import StepperInterfaces
import Testing
import Varlink
@testable import StepperClient

@Suite struct `The logic of calls` {
  typealias Machine = CallMachine<String>

  let start = Instant.now
  let lost = StepperClientError(.disconnected, "lost")

  /// A machine whose calls have five seconds, without or with a connection.
  func machine(isOpen: Bool = true) -> Machine {
    var machine = Machine(timeout: .seconds(5))
    if isOpen { machine.connection = VarlinkClientConnection() }
    return machine
  }

  func after(_ seconds: Double) -> Instant { start + .seconds(seconds) }

  /// The methods that the daemon receives.
  func written(_ machine: inout Machine) -> [String] {
    guard let output = machine.connection?.output else { return [] }
    let methods = output.split(separator: 0).compactMap { try? VarlinkCall(decoding: $0).method }
    machine.connection?.didSend(output.count)
    return methods
  }

  /// The daemon answers `results`, in this order.
  func answer(_ machine: inout Machine, _ results: [Int]) {
    for result in results {
      machine.connection?.receive(#"{"parameters":{"result":\#(result)}}"#.utf8 + [0])
    }
    machine.takeReplies(at: start)
  }

  /// What ended: the waiter, and the daemon's result or the code of the error.
  func ended(_ machine: inout Machine) -> [String] {
    machine.takeEndedWaits().map { waiter, outcome in
      switch outcome {
      case .success(let reply?): "\(waiter) \(String(decoding: reply.parameters.json, as: UTF8.self))"
      case .success(nil): "\(waiter) stayed"
      case .failure(let error): "\(waiter) \(error.code)"
      }
    }
  }

  func make(_ machine: inout Machine, _ names: [String]) -> [Machine.ID] {
    names.map { machine.make(VarlinkCall("a.\($0)"), $0, at: start) }
  }

  @Test func `one that is too long fails alone`() throws {
    var machine = machine()
    _ = make(&machine, ["A"])
    func long(_ name: String, bytes: Int) throws {
      let empty = VarlinkCall("a.\(name)", parameters: try VarlinkParameters(json: #"{"x":""}"#.utf8))
      let text = String(repeating: "x", count: bytes + 1 - empty.encoded().count)
      let parameters = try VarlinkParameters(json: "{\"x\":\"\(text)\"}".utf8)
      machine.make(VarlinkCall("a.\(name)", parameters: parameters), name, at: start)
    }
    try long("Longest", bytes: 65_536)
    try long("Long", bytes: 65_537)
    #expect(ended(&machine) == ["Long invalidParameter"])
    machine.advance(to: start)
    #expect(written(&machine) == ["a.A", "a.Longest"])
  }

  @Test func `they are written at once and answered in their order`() {
    var machine = machine()
    _ = make(&machine, ["A", "B", "C"])
    machine.advance(to: start)
    #expect(written(&machine) == ["a.A", "a.B", "a.C"])
    answer(&machine, [1, 2])
    #expect(ended(&machine) == [#"A {"result":1}"#, #"B {"result":2}"#])
    answer(&machine, [3])
    #expect(ended(&machine) == [#"C {"result":3}"#])
  }

  @Test func `a connection is wanted for the first, and kept`() {
    var machine = machine(isOpen: false)
    #expect(machine.wish == .closed)
    _ = make(&machine, ["A"])
    #expect(machine.wish == .open)
    machine.connection = VarlinkClientConnection()
    machine.advance(to: start)
    answer(&machine, [1])
    #expect(machine.wish == .open)
    #expect(machine.deadline == nil)
  }

  @Test func `one that is withdrawn before it is written is never written`() {
    var machine = machine(isOpen: false)
    let ids = make(&machine, ["A", "B"])
    machine.withdraw(ids[0])
    #expect(ended(&machine) == ["A cancelled"])
    machine.connection = VarlinkClientConnection()
    machine.advance(to: start)
    #expect(written(&machine) == ["a.B"])
  }

  @Test func `one that is withdrawn later has its reply dropped, and the others go on`() {
    var machine = machine()
    let ids = make(&machine, ["A", "B", "C"])
    machine.advance(to: start)
    machine.withdraw(ids[1])
    #expect(ended(&machine) == ["B cancelled"])
    answer(&machine, [1, 2, 3])
    #expect(ended(&machine) == [#"A {"result":1}"#, #"C {"result":3}"#])
    machine.withdraw(ids[2])
    #expect(ended(&machine).isEmpty)
    #expect(machine.connection != nil)
  }

  @Test func `the time of each starts when it is made, whether there is a connection or not`() {
    var machine = machine(isOpen: false)
    _ = machine.make(VarlinkCall("a.A"), "A", at: start)
    machine.advance(to: after(3))
    machine.connection = VarlinkClientConnection()
    machine.advance(to: after(3))
    _ = machine.make(VarlinkCall("a.B"), "B", at: after(4))
    #expect(machine.deadline == after(5))
    machine.advance(to: after(4.999))
    #expect(ended(&machine).isEmpty)
    machine.advance(to: after(5))
    #expect(ended(&machine) == ["A timedOut"])
    #expect(machine.deadline == after(9))
    answer(&machine, [1, 2])
    #expect(ended(&machine) == [#"B {"result":2}"#])
  }

  @Test func `one that waits for a connection times out, too`() {
    var machine = machine(isOpen: false)
    _ = make(&machine, ["A"])
    #expect(machine.deadline == after(5))
    machine.advance(to: after(5))
    #expect(ended(&machine) == ["A timedOut"])
    #expect(machine.wish == .closed)
  }

  @Test func `the connection is closed when one is unanswered after twice its time`() {
    var machine = machine()
    let ids = make(&machine, ["A"])
    machine.advance(to: start)
    machine.withdraw(ids[0])
    #expect(machine.deadline == after(10))
    _ = machine.make(VarlinkCall("a.B"), "B", at: after(9))
    machine.advance(to: after(9.999))
    #expect(ended(&machine) == ["A cancelled"])
    #expect(machine.connection != nil)
    machine.advance(to: after(10))
    #expect(machine.connection == nil)
    #expect(ended(&machine) == ["B disconnected"])
  }

  /// The daemon attaches the device later; with the end of the connection it is detached.
  @Test func `the connection is closed when one for a device is unanswered after its time`() {
    var machine = machine()
    machine.make(VarlinkCall("a.A"), "A", at: start)
    machine.make(VarlinkCall(ProviderInterface.Report.name), "B", at: after(1), endsConnection: true)
    machine.stay("C", until: nil)
    machine.advance(to: after(1))
    machine.make(VarlinkCall(ProviderInterface.Attach.name), "D", at: after(4), endsConnection: true)
    machine.advance(to: after(4))
    machine.advance(to: after(5))
    #expect(ended(&machine) == ["A timedOut"])
    #expect(machine.deadline == after(6))
    machine.advance(to: after(6))
    #expect(machine.connection == nil)
    #expect(ended(&machine) == ["B timedOut", "D disconnected", "C disconnected"])
    #expect(machine.wish == .closed)
  }

  @Test func `those that were written fail with the connection, the others are written to the next one`() {
    var machine = machine()
    _ = make(&machine, ["A", "B"])
    machine.advance(to: start)
    _ = make(&machine, ["C"])
    machine.failed(lost, at: start)
    #expect(ended(&machine) == ["A disconnected", "B disconnected"])
    #expect(machine.wish == .open)
    machine.connection = VarlinkClientConnection()
    machine.advance(to: start)
    #expect(written(&machine) == ["a.C"])
  }

  @Test func `all fail when there is no daemon`() {
    var machine = machine(isOpen: false)
    _ = make(&machine, ["A", "B"])
    machine.failed(StepperClientError(.cannotConnect, "absent"), at: start)
    #expect(ended(&machine) == ["A cannotConnect", "B cannotConnect"])
    #expect(machine.wish == .closed)
  }

  @Test(arguments: [#"{"parameters":{},"continues":true}"#, "garbage", ""])
  func `all that were written fail when the answer is`(_ answer: String) {
    var machine = machine()
    _ = make(&machine, ["A", "B"])
    machine.advance(to: start)
    machine.connection?.receive(answer.utf8 + [0])
    machine.takeReplies(at: start)
    #expect(ended(&machine) == ["A protocolViolation", "B protocolViolation"])
    #expect(machine.connection == nil)
  }

  @Test func `a reply without a call closes the connection`() {
    var machine = machine()
    machine.stay("A", until: nil)
    answer(&machine, [1])
    #expect(machine.connection == nil)
    #expect(ended(&machine) == ["A protocolViolation"])
  }

  @Test func `what a daemon that does not read has no room for can still be withdrawn`() {
    var machine = machine()
    let count = 100
    let text = String(repeating: "x", count: Machine.outputLimit / 10)
    let ids = (0..<count).map { machine.make(VarlinkCall("a.\(text)"), "\($0)", at: start) }
    machine.advance(to: start)
    let pending = machine.connection?.pendingOutputCount ?? 0
    #expect((Machine.outputLimit..<2 * Machine.outputLimit).contains(pending))
    for id in ids.dropFirst(50) { machine.withdraw(id) }
    var total = 0
    while case let methods = written(&machine), !methods.isEmpty {
      total += methods.count
      machine.advance(to: start)
    }
    #expect(total == 50)
  }

  @Test func `who stays is told of the end of the time and of the connection`() {
    var machine = machine()
    machine.stay("short", until: after(1))
    machine.stay("long", until: nil)
    #expect(machine.deadline == after(1))
    machine.advance(to: after(1))
    #expect(ended(&machine) == ["short stayed"])
    machine.failed(lost, at: after(2))
    #expect(ended(&machine) == ["long disconnected"])
    machine.stay("late", until: nil)
    #expect(ended(&machine) == ["late disconnected"])
  }

  @Test func `closing ends all waits`() {
    var machine = machine()
    _ = make(&machine, ["A"])
    machine.advance(to: start)
    _ = make(&machine, ["B"])
    machine.stay("C", until: nil)
    machine.close()
    #expect(ended(&machine) == ["B disconnected", "A disconnected", "C disconnected"])
    #expect(machine.wish == .closed)
  }

  @Test func `no time is too long`() {
    var machine = Machine(timeout: .seconds(Int64.max))
    machine.connection = VarlinkClientConnection()
    _ = make(&machine, ["A"])
    machine.advance(to: start)
    #expect(machine.deadline.map { $0 > after(1e9) } == true)
  }
}
