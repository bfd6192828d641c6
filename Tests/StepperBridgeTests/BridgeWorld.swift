import StepperBridge
import TestSupport

/// A side as it really is: a value on a grid, writes that arrive late, and reports that arrive late and in their order.
struct WorldSide {
  var value: Double
  let grid: Double
  let range: ClosedRange<Double>
  /// Counts changes, so that a write can be refused because of one in between.
  var sequence = 0
  /// Everything it ever was.
  var history: Set<Double>

  /// Whether it says how it rounds.
  let isOpen: Bool

  init(_ value: Double, grid: Double, in range: ClosedRange<Double>, isOpen: Bool = true) {
    (self.grid, self.range, self.isOpen) = (grid, range, isOpen)
    self.value = Self.rounded(value, grid, range)
    history = [self.value]
  }

  var terms: BridgeTerms { BridgeTerms(range: range, rounding: isOpen ? grid / 2 : .infinity) }

  private static func rounded(_ value: Double, _ grid: Double, _ range: ClosedRange<Double>) -> Double {
    let clamped = min(max(value, range.lowerBound), range.upperBound)
    return grid == 0 ? clamped : (clamped / grid).rounded() * grid
  }

  mutating func set(_ value: Double) {
    let next = Self.rounded(value, grid, range)
    guard next != self.value else { return }
    (self.value, sequence) = (next, sequence + 1)
    history.insert(next)
  }
}

/// Two sides and a bridge between them in virtual time, with everything that chance brings.
struct BridgeWorld {
  typealias Instant = Bridge.Instant
  private enum Event {
    /// A value comes with the number of its change, as in a state of the daemon.
    case report(BridgeSide, Double, sequence: Int), editing(Bool)
    /// With what the bridge knew of the side when it asked, and the connection that the answer takes.
    case arrive(BridgeSide, Double, knowing: Int, connection: Int), answer(BridgeSide, BridgeInput)
    case back(BridgeSide, resumed: Bool)
  }

  private(set) var bridge: Bridge
  private(set) var sides: [BridgeSide: WorldSide]
  private(set) var writes: [(side: BridgeSide, value: Double)] = []
  private(set) var now = Instant.now
  /// What writes may be made for.
  private(set) var hands = 0, meetings = 0, retries = 0
  /// How late something may arrive.
  var mostDelay = 0.5
  /// Whether the control may take so long that the bridge does not wait for the answer.
  var mayStall = false
  private var isEditing = false
  private var isAway: Set<BridgeSide> = []
  private var connections: [BridgeSide: Int] = [:]
  private var queue: [(at: Instant, order: Int, event: Event)] = []
  private var order = 0
  private var lastReport: [BridgeSide: Instant] = [:]
  private var seenSequence = 0
  private var generator: SeededGenerator

  init(_ rules: BridgeRules, control: WorldSide, outside: WorldSide, _ generator: SeededGenerator) {
    bridge = Bridge(rules)
    sides = [.control: control, .outside: outside]
    self.generator = generator
    connectAll()
  }

  // MARK: What happens

  mutating func hand(_ side: BridgeSide, _ value: Double) {
    let former = sides[side]?.sequence
    sides[side]?.set(value)
    guard sides[side]?.sequence != former else { return }
    hands += 1
    report(side)
  }

  mutating func edit(_ isEditing: Bool) {
    self.isEditing = isEditing
    post(.editing(isEditing), of: .control)
  }

  /// The bridge is another process.
  mutating func restartBridge() {
    bridge = Bridge(bridge.rules)
    queue.removeAll {
      switch $0.event {
      case .report, .editing, .answer, .back: true
      // What it wrote before it ended arrives.
      case .arrive: false
      }
    }
    isAway = []
    for side in BridgeSide.allCases { connections[side, default: 0] += 1 }
    connectAll()
  }

  /// A side is gone, with what was on its way to it and from it.
  mutating func lose(_ side: BridgeSide, for seconds: Double, resuming: Bool) {
    guard !isAway.contains(side) else { return }
    isAway.insert(side)
    connections[side, default: 0] += 1
    queue.removeAll {
      switch $0.event {
      case .report(side, _, _), .answer(side, _): true
      case .editing: side == .control
      case .arrive(side, _, _, _): !resuming
      default: false
      }
    }
    lastReport[side] = nil
    feed(.lost(side))
    push(.back(side, resumed: resuming), at: now.advanced(by: .seconds(seconds)))
  }

  mutating func advance(by seconds: Double) {
    let end = now.advanced(by: .seconds(seconds))
    while true {
      let next = queue.min { ($0.at, $0.order) < ($1.at, $1.order) }
      let deadline = bridge.deadline.map { max($0, now) }
      guard let at = [next?.at, deadline].compactMap(\.self).min(), at <= end else { break }
      now = at
      if let next, next.at <= at, deadline.map({ $0 > at }) ?? true {
        queue.removeAll { $0.order == next.order }
        happen(next.event)
      } else {
        perform(bridge.advance(to: now))
      }
    }
    now = end
  }

  // MARK: How it arrives

  private mutating func happen(_ event: Event) {
    switch event {
    case .report(let side, let value, let sequence):
      if side == .control { seenSequence = sequence }
      feed(.value(side, value))
    case .editing(let isEditing): feed(.editing(isEditing))
    case .answer(_, let input): feed(input)
    case .arrive(let side, let value, let knowing, let connection):
      let answer = arrive(side, value, knowing: knowing)
      // A bridge does not hear answers on a connection that has ended.
      guard connection == connections[side, default: 0] else { return }
      push(.answer(side, answer), at: answer == .written(side) ? now.advanced(by: delay()) : now)
    case .back(let side, let resumed):
      isAway.remove(side)
      resumed ? feed(.resumed(side)) : connect(side)
      guard resumed else { return }
      report(side)
      if side == .control { edit(isEditing) }
    }
  }

  /// The control refuses what was asked for before it was moved.
  private mutating func arrive(_ side: BridgeSide, _ value: Double, knowing: Int) -> BridgeInput {
    if side == .control, sides[side]?.sequence != knowing {
      retries += 1
      return .overtaken(side)
    }
    let former = sides[side]?.sequence
    sides[side]?.set(value)
    if sides[side]?.sequence != former { report(side) }
    return .written(side)
  }

  private mutating func connectAll() { for side in BridgeSide.allCases { connect(side) } }

  private mutating func connect(_ side: BridgeSide) {
    guard let state = sides[side] else { return }
    meetings += 1
    feed(.connected(side, state.terms))
    if side == .control { seenSequence = state.sequence }
    feed(.value(side, state.value))
    if side == .control { feed(.editing(isEditing)) }
  }

  private mutating func report(_ side: BridgeSide) {
    guard let state = sides[side] else { return }
    // A newer report may take the place of those that wait.
    if Bool.random(using: &generator) {
      queue.removeAll { if case .report(side, _, _) = $0.event { true } else { false } }
    }
    post(.report(side, state.value, sequence: state.sequence), of: side)
  }

  /// Reports of a side arrive in their order.
  private mutating func post(_ event: Event, of side: BridgeSide) {
    guard !isAway.contains(side) else { return }
    let at = max(now.advanced(by: delay()), lastReport[side] ?? now)
    lastReport[side] = at
    push(event, at: at)
  }

  private mutating func push(_ event: Event, at instant: Instant) {
    order += 1
    queue.append((instant, order, event))
  }

  private mutating func delay() -> Duration { .seconds(Double.random(in: 0...mostDelay, using: &generator)) }

  private mutating func feed(_ input: BridgeInput) { perform(bridge.advance(to: now, applying: input)) }

  private mutating func perform(_ effects: [BridgeEffect]) {
    for case .write(let side, let value) in effects {
      writes.append((side, value))
      let isStall = mayStall && side == .control && Int.random(in: 0..<5, using: &generator) == 0
      let connection = isStall ? -1 : connections[side, default: 0]
      push(
        .arrive(side, value, knowing: seenSequence, connection: connection), at: now.advanced(by: delay()))
      if isStall {
        retries += 1
        push(.answer(side, .unanswered(side)), at: now.advanced(by: delay()))
      }
    }
  }
}
