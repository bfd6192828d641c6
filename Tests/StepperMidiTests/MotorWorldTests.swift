import StepperConfiguration
import StepperCore
import StepperInterfaces
import TestSupport
import Testing
@testable import StepperDaemon
@testable import stepperd_midi

/// A motor fader with inertia, a hand, another client, and the daemon's rules of motors, in virtual time.
@MainActor @Suite struct MotorWorldTests {
  /// The fader: it says where it is whenever it moves, by whatever.
  private struct Fader {
    var position = 0.0
    var target: Double?
    var speed = 0.0
    var said = 0
    let maximum: Double

    /// Five milliseconds; returns what it says.
    mutating func step(pushedTo hand: Double?) -> Int? {
      if let hand {
        (position, speed, target) = (hand, 0, nil)
      } else if let goal = target {
        // A motor with a spring that overshoots a little.
        speed += (goal - position) * 0.12 - speed * 0.5
        position = min(max(position + speed, 0), maximum)
        if abs(goal - position) < maximum / 1_000, abs(speed) < maximum / 1_000 {
          (position, speed, target) = (goal, 0, nil)
        }
      }
      let shown = Int(position.rounded())
      guard shown != said else { return nil }
      said = shown
      return shown
    }
  }

  private enum Sort: CaseIterable { case plain, fine, touch }

  @Test(arguments: Seed.fresh(4))
  func `no hand is fought, nothing swings, and at rest the fader is where the value is`(_ seed: Seed) {
    var random = SeededGenerator(seed)
    for sort in Sort.allCases { for _ in 0..<25 { world(sort, &random) } }
  }

  private func world(_ sort: Sort, _ random: inout SeededGenerator) {
    var bench =
      switch sort {
      case .plain: Bench(motors: true, found: ["cc-1-7": "fader ABS_X"])
      case .fine: Bench(motors: true, found: ["bend-1": "fine-fader ABS_X"])
      case .touch: Bench(protocol: .mackie)
      }
    _ = bench.take()
    let (output, maximum) = sort == .plain ? ("cc-1-7", 127) : ("bend-1", 16_383)
    var fader = Fader(maximum: Double(maximum))
    var motor = Motor(output: output, usage: .absoluteVolume, axis: "ABS_X", touch: .button0)
    // The control, and when something else than the fader has changed it last.
    var (value, moved, changed) = (0, Instant?.none, Instant?.none)
    var (hand, handEnd, isTouched, orders) = (Double?.none, Instant.distantPast, false, 0)
    // What another client has set while no hand was there.
    var wanted: Int?
    // The last order: without a touch, a hand is told from the motor when that has come.
    var ordered: Instant?
    let beginning = bench.now
    var lastAction = beginning
    func decide() {
      let isForeign = moved.map { moved in changed.map { $0 >= moved } ?? false } ?? true
      guard motor.decide(Int32(value), isForeign: isForeign, isTouched: isTouched, at: bench.now) == .order
      else { return }
      (orders, ordered) = (orders + 1, bench.now)
      if sort == .touch { #expect(hand == nil) }
      perform(bench.position(output, Double(value) / Double(maximum)))
    }
    func perform(_ messages: [MidiMessage]) {
      for case .bend(1, let value) in messages { fader.target = Double(value) }
      for case .controller(1, 7, let value) in messages { fader.target = Double(value) }
    }
    while bench.now < lastAction + .seconds(3) {
      bench.now = bench.now + .milliseconds(5)
      if bench.now < beginning + .seconds(8), Int.random(in: 0..<100, using: &random) == 0 {
        lastAction = bench.now
        if Bool.random(using: &random) {
          (value, changed) = (Int.random(in: 0...maximum, using: &random), bench.now)
          wanted = hand == nil ? value : nil
        } else if hand == nil, sort == .touch || ordered.map({ $0 + .seconds(1.1) < bench.now }) ?? true {
          wanted = nil
          (hand, handEnd) = (fader.position, bench.now + .milliseconds(.random(in: 50...800, using: &random)))
          if sort == .touch { bench.send(.note(channel: 1, number: 104, velocity: 127)) }
        }
      }
      if hand != nil {
        hand = min(
          max((hand ?? 0) + Double(maximum) * .random(in: -0.04...0.05, using: &random), 0), Double(maximum))
        if handEnd <= bench.now {
          hand = nil
          if sort == .touch { bench.send(.note(channel: 1, number: 104, velocity: 0)) }
          perform(bench.device.takeMessages())
        }
      }
      if let said = fader.step(pushedTo: hand) {
        bench.send(
          sort == .plain ? .controller(channel: 1, number: 7, value: said) : .bend(channel: 1, value: said))
      }
      bench.serve()
      perform(bench.device.takeMessages())
      for line in bench.take() {
        let words = line.split(separator: " ")
        guard words.count == 2, let number = Int(words[1]) else { continue }
        if words[0] == "ABS_X" {
          (value, moved) = (number, bench.now)
          motor.noteMotion(at: bench.now)
        } else {
          isTouched = number == 1
        }
      }
      decide()
    }
    #expect(
      abs(fader.position - Double(value)) <= Double(maximum) / 64,
      "\(sort): at \(fader.position), and the value is \(value)")
    if let wanted { #expect(value == wanted, "\(sort): another client's value is lost") }
    #expect(orders < 400, "\(orders) orders: it swings")
  }
}
