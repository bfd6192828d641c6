import StepperConfiguration
import StepperCore
import TestSupport
import Testing

/// The detents of a knob that makes them itself, from the control that it drives.
@Suite struct AxisDetentsTests {
  /// A control that the front panel's knob drives.
  private struct Bench {
    var engine: Engine

    init(_ options: String, device: String = "") throws {
      try self.init(lines: "control volume rotate=panel:dial \(options)", "device panel \(device)")
    }

    init(lines: String...) throws {
      engine = Engine(try configurationFrom(lines), at: .milliseconds(0))
      let capabilities = DeviceCapabilities.virtual(settingsName: "panel")
      _ = engine.advance(to: .milliseconds(0), applying: .deviceAdded(DeviceNumber(0), capabilities))
    }

    var detents: AxisDetents? { engine.detents(of: .dial, of: DeviceNumber(0)) }

    mutating func set(_ value: FixedPoint, of control: Int = 0) {
      _ = engine.advance(to: engine.now, applying: .set(engine.ids[control], SetRequest(value)))
    }

    mutating func turn(_ counts: Int32) {
      let frame = EvdevEvents(EvdevEvent(.dial, counts))
      _ = engine.advance(to: engine.now, applying: .frame(DeviceNumber(0), frame))
    }
  }

  private static let controls: [(options: String, detents: AxisDetents)] = [
    ("minimum=0 maximum=10 initial=4", .init(position: 4, minimum: 0, maximum: 10, wraps: false)),
    ("minimum=-20 maximum=20 step=5 initial=0", .init(position: 4, minimum: 0, maximum: 8, wraps: false)),
    ("minimum=0 maximum=1 step=0.05 initial=0.5", .init(position: 10, minimum: 0, maximum: 20, wraps: false)),
    ("minimum=0 maximum=10 step=3 initial=10", .init(position: 4, minimum: 0, maximum: 4, wraps: false)),
    ("minimum=0 maximum=10 initial=9 wraps=true", .init(position: 9, minimum: 0, maximum: 10, wraps: true)),
    ("minimum=none maximum=none initial=-7", .init(position: -7, minimum: nil, maximum: nil, wraps: false)),
    ("minimum=0 maximum=none initial=7", .init(position: 7, minimum: 0, maximum: nil, wraps: false)),
    ("minimum=none maximum=9 initial=7", .init(position: -2, minimum: nil, maximum: 0, wraps: false)),
    ("minimum=5 maximum=5 initial=5", .init(position: 0, minimum: 0, maximum: 0, wraps: false)),
  ]

  @Test(arguments: controls)
  func `the range and the step are detents and ends`(_ options: String, _ detents: AxisDetents) throws {
    #expect(try Bench(options).detents == detents)
  }

  @Test func `an inverted device counts the other way`() throws {
    let bench = try Bench("minimum=0 maximum=10 initial=4", device: "invert=true")
    #expect(bench.detents == AxisDetents(position: -4, minimum: -10, maximum: 0, wraps: false))
  }

  @Test func `the live control has the detents`() throws {
    var bench = try Bench(
      lines: #"control volume maximum=10 initial=3 rotate={input="panel:dial",when={mode="a"}}"#,
      #"control bass maximum=20 initial=5 rotate={input="panel:dial",when={mode="b"}}"#,
      "control mode choices=a,b", "device panel")
    #expect(bench.detents?.maximum == 10)
    bench.set(1, of: 2)
    #expect(bench.detents?.maximum == 20)
  }

  @Test func `a control that is unset has none`() throws {
    #expect(try Bench("initial=unset maximum=10 unset=true").detents == nil)
  }

  /// A knob that counts its own detents stands where the control does.
  @Test(arguments: Seed.fresh(20))
  func `a turn leads to the same detent on both sides`(_ seed: Seed) throws {
    var random = SeededGenerator(seed)
    for _ in 0..<50 {
      let (step, count) = (Int.random(in: 1...7, using: &random), Int.random(in: 1...40, using: &random))
      let minimum = Int.random(in: -50...50, using: &random)
      let wraps = Bool.random(using: &random)
      // Of a range that wraps, both ends are on the grid.
      let rest = wraps || step == 1 ? 0 : Int.random(in: 0..<step, using: &random)
      let start = minimum + step * Int.random(in: 0...count, using: &random)
      var bench = try Bench(
        "minimum=\(minimum) maximum=\(minimum + step * count + rest) step=\(step) initial=\(start) wraps=\(wraps)",
        device: Bool.random(using: &random) ? "invert=true" : "")
      for _ in 0..<30 {
        let former = try #require(bench.detents)
        // From a partial step at the end the next detent is not on the grid.
        if rest > 0, former.position == former.maximum || former.position == former.minimum {
          bench.set(FixedPoint(units: Int64(start), digits: 0))
        }
        let detents = try #require(bench.detents)
        let turn = Int32.random(in: -9...9, using: &random)
        bench.turn(turn)
        #expect(bench.detents == detents.turned(by: Int64(turn)))
      }
    }
  }

  @Test func `nothing overflows`() {
    let free = AxisDetents(position: 0, minimum: nil, maximum: nil, wraps: false)
    #expect(free.turned(by: .max).turned(by: .max).position > 0)
    #expect(free.turned(by: .min).position < 0)
    let ring = AxisDetents(position: 0, minimum: -(1 << 61), maximum: 1 << 61, wraps: true)
    for way in [Int64.min, -1, 1, .max] {
      let position = ring.turned(by: way).position
      #expect((-(1 << 61)...(1 << 61)).contains(position))
    }
  }
}
