import StepperBridge
import TestSupport
import Testing

/// Two sides with random delays, losses, rounding and restarts.
@Suite struct BridgeProperties {
  @Test(arguments: Seed.fresh(300))
  func `after rest both agree, and nothing was written that nobody asked for`(seed: Seed) {
    var generator = SeededGenerator(seed)
    let grids: [Double] = [0, 1, 0.5, 100.0 / 64, 0.1, 5]
    let rules = BridgeRules(
      start: Bool.random(using: &generator) ? .control : .outside,
      startAtMost: Bool.random(using: &generator) ? 40 : nil,
      rate: [5.0, 50, 1_000].randomElement(using: &generator) ?? 50)
    let control = WorldSide(
      .random(in: 0...100, using: &generator), grid: grids.randomElement(using: &generator) ?? 1, in: 0...100)
    let top: Double = [80.0, 100, 150].randomElement(using: &generator) ?? 100
    let outside = WorldSide(
      .random(in: 0...top, using: &generator), grid: grids.randomElement(using: &generator) ?? 0, in: 0...top,
      isOpen: Int.random(in: 0..<4, using: &generator) > 0)
    var world = BridgeWorld(rules, control: control, outside: outside, generator)
    world.mostDelay = [0.0, 0.02, 0.5, 1.5].randomElement(using: &generator) ?? 0.1
    for _ in 0..<Int.random(in: 1...80, using: &generator) { something(in: &world, &generator) }
    world.edit(false)
    world.advance(by: 30)
    #expect(world.agree, "\(world.sides.mapValues(\.value))")
    #expect(world.bridge.isAtRest)
    let count = world.writes.count
    // Each change is passed on once, and perhaps corrected once where two changes crossed.
    #expect(count <= 2 * (world.hands + world.meetings) + world.retries, "\(world.writes)")
    for write in world.writes { #expect(world.isAccountable(write.value, to: write.side)) }
    world.advance(by: 3_600)
    #expect(world.writes.count == count, "at rest nothing is written")
  }

  private func something(in world: inout BridgeWorld, _ generator: inout SeededGenerator) {
    switch Int.random(in: 0..<20, using: &generator) {
    case 0..<7:
      let value = world.sides[.control]?.value ?? 0
      world.edit(true)
      world.hand(.control, value + Double(Int.random(in: -3...3, using: &generator)))
      if Bool.random(using: &generator) { world.edit(false) }
    case 7..<14: world.hand(.outside, .random(in: 0...150, using: &generator))
    case 14: world.restartBridge()
    case 15:
      world.lose(.outside, for: .random(in: 0...3, using: &generator), resuming: false)
    case 16:
      world.lose(.control, for: .random(in: 0...3, using: &generator), resuming: .random(using: &generator))
    default: world.edit(.random(using: &generator))
    }
    world.advance(by: .random(in: 0...0.6, using: &generator))
  }

  /// The side that is moved counts where the two meet, too.
  @Test(arguments: Seed.fresh(200))
  func `where one side is moved, both have its last value, whatever is lost meanwhile`(seed: Seed) {
    var generator = SeededGenerator(seed)
    let moved: BridgeSide = Bool.random(using: &generator) ? .control : .outside
    let control = WorldSide(50, grid: 0.5, in: 0...100)
    let outside = WorldSide(
      20, grid: [0, 0.1, 1].randomElement(using: &generator) ?? 0, in: 0...100,
      isOpen: Bool.random(using: &generator))
    var world = BridgeWorld(
      BridgeRules(start: moved, rate: [5.0, 1_000].randomElement(using: &generator) ?? 5), control: control,
      outside: outside, generator)
    world.mostDelay = [0.02, 0.5, 1.5].randomElement(using: &generator) ?? 0.1
    world.mayStall = true
    var last = world.sides[moved]?.value ?? 0
    for _ in 0..<Int.random(in: 1...40, using: &generator) {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0: world.lose(.outside, for: .random(in: 0...3, using: &generator), resuming: false)
      case 1...3: world.lose(.control, for: .random(in: 0...3, using: &generator), resuming: true)
      default:
        world.hand(moved, .random(in: 0...100, using: &generator))
        last = world.sides[moved]?.value ?? 0
      }
      world.advance(by: .random(in: 0...0.6, using: &generator))
    }
    world.advance(by: 30)
    for (side, state) in world.sides {
      #expect(
        (state.value - last).magnitude <= 1, "\(side) is at \(state.value), and \(moved) was moved to \(last)"
      )
    }
    #expect(world.bridge.isAtRest)
    let count = world.writes.count
    world.advance(by: 3_600)
    #expect(world.writes.count == count)
  }

  @Test(arguments: [BridgeSide.control, .outside])
  func `a thousand round trips without a hand leave both where they were`(start: BridgeSide) {
    let generator = SeededGenerator(Seed.fresh(1)[0])
    var world = BridgeWorld(
      BridgeRules(start: start), control: WorldSide(45, grid: 1, in: 0...100),
      outside: WorldSide(45, grid: 100.0 / 64, in: 0...100), generator)
    world.advance(by: 5)
    let values = world.sides.mapValues(\.value)
    for round in 0..<1_000 {
      switch round % 3 {
      case 0: world.restartBridge()
      case 1: world.lose(.outside, for: 0.1, resuming: false)
      default: world.lose(.control, for: 0.1, resuming: round % 2 == 0)
      }
      world.advance(by: 1)
    }
    world.advance(by: 5)
    #expect(world.sides.mapValues(\.value) == values)
    #expect(world.writes.isEmpty)
  }

  @Test(arguments: Seed.fresh(50))
  func `extra advances change nothing`(seed: Seed) {
    var generator = SeededGenerator(seed)
    let begin = Bridge.Instant.now
    var inputs: [(Double, BridgeInput)] = [
      (0, .connected(.control, BridgeTerms(range: 0...100, rounding: 0.5))),
      (0, .connected(.outside, BridgeTerms(range: 0...100, rounding: 1))),
      (0, .value(.control, 10)), (0, .value(.outside, 20)),
    ]
    var time = 0.0
    for _ in 0..<60 {
      time += .random(in: 0...0.3, using: &generator)
      let side = BridgeSide.allCases.randomElement(using: &generator) ?? .control
      let value = Double(Int.random(in: 0...30, using: &generator))
      let choices: [BridgeInput] = [.value(side, value), .written(side), .editing(value < 10)]
      inputs.append((time, choices.randomElement(using: &generator) ?? .written(side)))
    }
    func run(extra: Int, _ generator: inout SeededGenerator) -> [BridgeEffect] {
      var bridge = Bridge(BridgeRules(rate: 10))
      var effects: [BridgeEffect] = []
      var now = 0.0
      for (time, input) in inputs {
        for _ in 0..<extra {
          now = .random(in: now...time, using: &generator)
          effects += catchUp(&bridge, to: begin.advanced(by: .seconds(now)))
        }
        effects += catchUp(&bridge, to: begin.advanced(by: .seconds(time)))
        effects += bridge.advance(to: begin.advanced(by: .seconds(time)), applying: input)
        now = time
      }
      return effects + catchUp(&bridge, to: begin.advanced(by: .seconds(time + 60)))
    }
    let plain = run(extra: 0, &generator)
    #expect(run(extra: 3, &generator) == plain)
    #expect(!plain.isEmpty)
  }

  /// What becomes due until `end`, each at its instant.
  private func catchUp(_ bridge: inout Bridge, to end: Bridge.Instant) -> [BridgeEffect] {
    var effects: [BridgeEffect] = []
    while let deadline = bridge.deadline, deadline <= end { effects += bridge.advance(to: deadline) }
    return effects + bridge.advance(to: end)
  }
}

extension BridgeWorld {
  /// Whether each side has what it can have of the other's value.
  var agree: Bool {
    guard let control = sides[.control], let outside = sides[.outside] else { return false }
    func near(_ value: Double, _ other: WorldSide) -> Bool {
      (other.terms.clamp(value) - other.value).magnitude <= other.grid / 2 + 1e-6
    }
    return near(control.value, outside) || near(outside.value, control)
  }

  /// Whether the other side, or the start, gives a reason to write `value` to `side`: its own value is one that it has
  /// when another is on its way there as the two meet.
  func isAccountable(_ value: Double, to side: BridgeSide) -> Bool {
    let own = sides[side]
    let isStart = own?.history.contains(value) ?? false && side == bridge.rules.start
    let reasons = (sides[side.other]?.history ?? []).union([bridge.rules.startAtMost].compactMap(\.self))
    return isStart || reasons.contains { own?.terms.clamp($0) == value }
  }
}
