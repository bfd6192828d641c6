import StepperClient
import StepperCore
import StepperInterfaces
import TestSupport
import Testing
@testable import stepperd_serial

/// A SmartKnob in virtual time: its firmware as `motor_task.cpp` and `serial_protocol_protobuf.cpp` have it, and a daemon that answers
/// at once.
private struct Bench {
  var board = SmartKnob(path: "desk", nonce: 100)
  var now = Instant.milliseconds(1_000)
  private var daemon = AnsweringDaemon()
  // The knob.
  var position: Int64 = 0
  var (presses, nonce, configuredPosition): (Int64, Int64, Int64) = (3, 7, 0)
  var bounds: ClosedRange<Int64>?
  private var lastMessage: Int64?
  var configurations = 0
  /// Whether what it is sent arrives.
  var isHeard = true

  /// It says its state.
  mutating func say() {
    var configuration = ProtobufWriter()
    configuration.number(configuredPosition, 1)
    configuration.number(nonce, 3)
    var state = ProtobufWriter()
    state.number(position, 1)
    state.part(configuration.bytes, 3)
    state.number(presses, 4)
    send(state.bytes, 4)
  }

  private mutating func send(_ part: [UInt8], _ field: UInt64) {
    var message = ProtobufWriter()
    message.number(1, 1)
    message.part(part, field)
    board.receive(SmartKnobFrame.encode(message.bytes), at: now)
  }

  mutating func turn(_ detents: Int64) {
    position += detents
    if let bounds { position = min(max(position, bounds.lowerBound), bounds.upperBound) }
  }

  private mutating func hear(_ bytes: [UInt8]) throws {
    guard isHeard else { return }
    for frame in bytes.split(separator: 0) {
      let message = try #require(SmartKnobFrame.decode(Array(frame)))
      var reader = ProtobufReader(message)
      var number: Int64 = 0
      while let (field, value) = try reader.next() {
        if field == 2, case .number(let value) = value { number = value }
        guard field > 2, case .part(let part) = value else { continue }
        var acknowledgement = ProtobufWriter()
        acknowledgement.number(number, 1)
        send(acknowledgement.bytes, 2)
        guard number != lastMessage else { continue }
        lastMessage = number
        if field == 4 { try configure(part) } else { say() }
      }
    }
  }

  private mutating func configure(_ bytes: [UInt8]) throws {
    configurations += 1
    var reader = ProtobufReader(bytes)
    var numbers: [UInt64: Int64] = [:]
    while let (field, value) = try reader.next() {
      if case .number(let number) = value { numbers[field] = number }
    }
    let (new, newNonce) = (numbers[1] ?? 0, numbers[3] ?? 0)
    if new != configuredPosition || newNonce != nonce { position = new }
    (configuredPosition, nonce) = (new, newNonce)
    let (lower, upper) = (numbers[4] ?? 0, numbers[5] ?? 0)
    bounds = lower <= upper ? lower...upper : nil
    turn(0)
  }

  mutating func pass(_ duration: Duration) throws {
    let end = now + duration
    while let deadline = board.deadline, deadline <= end {
      now = max(now, deadline)
      try serve()
    }
    now = end
    try serve()
  }

  mutating func serve() throws {
    for _ in 0..<10 {
      while let call = board.advance(to: now) {
        board.device.answered(daemon.answer(call), at: now)
      }
      guard board.hasOutput else { break }
      try hear(board.takeOutput())
    }
  }

  /// It begins again, without what it was told, behind a bridge that stays.
  mutating func restart() {
    (position, presses, nonce, configuredPosition, bounds, lastMessage) = (0, 1, 0, 0, nil, nil)
    say()
  }

  mutating func order(_ position: Int64, _ minimum: Int64?, _ maximum: Int64?, wraps: Bool = false) {
    board.take(
      .init(
        handle: "h\(daemon.handles)",
        detents: .init(
          output: "knob", axis: "REL_DIAL", position: position, minimum: minimum, maximum: maximum,
          wraps: wraps,
          strength: 1)), at: now)
  }

  mutating func show(value: String) {
    board.take(
      .init(
        handle: "h\(daemon.handles)",
        text: .init(output: "display", control: "v", title: "Volume", value: value, unit: "%", limit: .none)
      ), at: now)
  }

  mutating func take() -> [String] { daemon.take() }

  static func attached() throws -> Bench {
    var bench = Bench()
    bench.board.opened(at: bench.now)
    try bench.serve()
    #expect(bench.take() == ["attach SmartKnob"])
    return bench
  }
}

@Suite("A SmartKnob") struct SmartKnobTests {
  @Test func `is a device when it has said its state, and is turned and pushed`() throws {
    var bench = try Bench.attached()
    bench.turn(2)
    bench.say()
    bench.turn(-1)
    bench.say()
    bench.presses += 1
    bench.say()
    try bench.serve()
    #expect(bench.take() == ["REL_DIAL 1", "BTN_0 1", "BTN_0 0"])
  }

  @Test func `is asked until it answers, four times a second`() throws {
    var bench = Bench()
    bench.isHeard = false
    bench.board.opened(at: bench.now)
    var count = 0
    for _ in 0..<100 {
      try bench.pass(.milliseconds(10))
      if bench.board.hasOutput {
        count += 1
        #expect(bench.board.takeOutput().first == 0)
      }
    }
    // `serve` has taken them.
    bench.isHeard = true
    try bench.pass(.milliseconds(250))
    #expect(bench.take() == ["attach SmartKnob"] && count == 0)
  }

  @Test func `gets detents and ends, and is not taken for turned by them`() throws {
    var bench = try Bench.attached()
    bench.order(4, 0, 10)
    try bench.serve()
    #expect(bench.position == 4 && bench.bounds == 0...10)
    bench.say()
    bench.turn(3)
    bench.say()
    bench.turn(20)
    bench.say()
    try bench.serve()
    #expect(bench.position == 10)
    #expect(bench.take() == ["REL_DIAL 6"])
    bench.order(0, 0, 59, wraps: true)
    try bench.serve()
    #expect(bench.bounds == nil)
    bench.turn(-1)
    bench.say()
    try bench.serve()
    #expect(bench.take() == ["REL_DIAL -1"])
  }

  @Test func `shows title and value, and is not moved by that`() throws {
    var bench = try Bench.attached()
    bench.turn(5)
    bench.say()
    for value in ["1", "2"] {
      bench.show(value: value)
      try bench.serve()
      bench.say()
    }
    try bench.serve()
    #expect(bench.take() == ["REL_DIAL 5"])
    #expect(bench.configurations == 2)
  }

  @Test func `counts positions beyond 32 bits from where it is`() throws {
    var bench = try Bench.attached()
    bench.order(1 << 40, 0, 1 << 41)
    try bench.serve()
    #expect(bench.position == 0)
    bench.turn(1)
    bench.say()
    try bench.serve()
    #expect(bench.take() == ["REL_DIAL 1"])
  }

  @Test func `is gone after twelve seconds of silence, and comes back`() throws {
    var bench = try Bench.attached()
    bench.isHeard = false
    try bench.pass(.seconds(13))
    #expect(bench.take() == ["detach"])
    bench.isHeard = true
    try bench.pass(.seconds(1))
    #expect(bench.take() == ["attach SmartKnob"])
  }

  @Test func `noise and other versions are named`() throws {
    var bench = try Bench.attached()
    bench.board.receive(Array("SmartKnob starting!\r\n".utf8) + [0], at: bench.now)
    #expect(bench.board.log.takeMisfit()?.reason.contains("not a frame") == true)
    bench.board.receive(SmartKnobFrame.encode([8, 2, 0x12, 2, 8, 1]), at: bench.now)
    #expect(bench.board.log.takeMisfit()?.reason.contains("another version") == true)
    bench.board.receive(Array(repeating: 7, count: 100_000), at: bench.now)
    bench.board.receive([0], at: bench.now)
    #expect(bench.board.log.takeMisfit() != nil)
    bench.turn(1)
    bench.say()
    try bench.serve()
    #expect(bench.take() == ["REL_DIAL 1"])
  }

  @Test func `each push counts, also past the last number, and what no hand does is none`() throws {
    var bench = try Bench.attached()
    bench.presses = 255
    bench.say()
    try bench.serve()
    #expect(bench.take() == ["lost []"])
    bench.presses = 1
    bench.say()
    try bench.serve()
    #expect(bench.take() == ["BTN_0 1", "BTN_0 0", "BTN_0 1", "BTN_0 0"])
  }

  @Test(arguments: [3, 4, 9])
  func `one that has begun again is told what it was told, and does nothing by that`(presses: Int64) throws {
    var bench = try Bench.attached()
    for _ in 0..<3 { bench.order(4, 0, 10) }
    try bench.serve()
    bench.turn(3)
    bench.presses = presses
    bench.say()
    try bench.serve()
    _ = bench.take()
    bench.restart()
    try bench.pass(.seconds(1))
    #expect(bench.take() == ["lost []"])
    #expect(bench.position == 7 && bench.bounds == 0...10)
    bench.order(7, 0, 10)
    try bench.serve()
    bench.turn(-2)
    bench.say()
    try bench.serve()
    #expect(bench.take() == ["REL_DIAL -2"])
  }

  @Test(arguments: Seed.fresh(20))
  func `any numbers leave a knob that takes orders`(_ seed: Seed) throws {
    var random = SeededGenerator(seed)
    func number() -> Int64 {
      let some: [Int64] = [
        .max, .min, -1, 0, 1, 255, 256, 1 << 31, .random(in: .min ... .max, using: &random),
      ]
      return some.randomElement(using: &random) ?? 0
    }
    var bench = try Bench.attached()
    for _ in 0..<300 {
      (bench.position, bench.presses, bench.nonce, bench.configuredPosition) = (
        number(), number(), number(), number()
      )
      bench.say()
      if Bool.random(using: &random) { bench.order(number(), number(), number()) }
      if Bool.random(using: &random) { bench.show(value: "\(number())") }
      if Bool.random(using: &random) { bench.isHeard.toggle() }
      // What it hears leaves it where it says to be.
      bench.bounds = nil
      try bench.pass(.milliseconds(.random(in: 0...300, using: &random)))
    }
    let turns = bench.take().filter { $0.hasPrefix("REL_DIAL") }.compactMap { Int64($0.dropFirst(9)) }
    #expect(turns.allSatisfy { $0.magnitude <= 64_000 })
  }

  /// Orders, turns, and lost messages both ways: no turn is lost or made up.
  @Test(arguments: Seed.fresh(20))
  func `every turn counts once, whatever is ordered meanwhile`(_ seed: Seed) throws {
    var random = SeededGenerator(seed)
    for _ in 0..<30 {
      var bench = try Bench.attached()
      var turned: Int64 = 0
      for _ in 0..<60 {
        bench.isHeard = Int.random(in: 0...3, using: &random) > 0
        switch Int.random(in: 0...3, using: &random) {
        case 0: bench.order(.random(in: -20...20, using: &random), nil, nil)
        case 1:
          // It says each detent, as it does every five milliseconds.
          let detents = Int64.random(in: -3...3, using: &random)
          bench.turn(detents)
          turned += detents
          bench.say()
        case 2: bench.say()
        default: try bench.pass(.milliseconds(.random(in: 1...600, using: &random)))
        }
        if Bool.random(using: &random) { try bench.serve() }
      }
      bench.isHeard = true
      try bench.pass(.seconds(1))
      bench.say()
      try bench.serve()
      let reported = bench.take().filter { $0.hasPrefix("REL_DIAL") }.compactMap { Int64($0.dropFirst(9)) }
        .reduce(0, +)
      #expect(reported == turned)
    }
  }
}
