import StepperConfiguration
import StepperCore
import TestSupport
import Testing

/// What no timeline can cover: any inputs in any order.
@Suite struct EngineProperties {
  static let seeds = Seed.fresh(12)

  @Test(arguments: seeds)
  func `the value never leaves its range`(seed: Seed) throws {
    var storm = Storm(seed: seed)
    // Where ranges change, what happens to the value is the control's choice.
    storm.adjusts = false
    var engine = storm.engine()
    for _ in 0..<300 {
      let (time, input) = storm.next()
      // What fires first has the identifiers of the configuration before the input.
      for input in [nil, input] {
        for case .publish(let state) in engine.advance(to: time, applying: input) {
          let settings = try #require(engine.adjustedSettings(of: state.control))
          guard let value = state.value, settings.feel.bounds == .enforced else { continue }
          #expect(settings.minimumValue.map { value >= $0 } ?? true)
          #expect(settings.maximumValue.map { value <= $0 } ?? true)
        }
      }
    }
  }

  @Test(arguments: seeds)
  func `a replay gives the same effects`(seed: Seed) {
    var storm = Storm(seed: seed)
    let recording = (0..<200).map { _ in storm.next() }
    func play() -> [Effect] {
      var engine = storm.engine()
      return recording.flatMap { engine.advance(to: $0.0, applying: $0.1) }
    }
    #expect(play() == play())
  }

  @Test(arguments: seeds)
  func `extra wakeups change nothing, whatever happens`(seed: Seed) {
    var storm = Storm(seed: seed)
    let recording = (0..<200).map { _ in storm.next() }
    var (plain, busy) = (storm.engine(), storm.engine())
    var (expected, seen): ([Effect], [Effect]) = ([], [])
    var last = Instant.milliseconds(0)
    for (time, input) in recording {
      expected += plain.advance(to: time, applying: input)
      while time > last {
        last = min(last + .milliseconds(37), time)
        seen += busy.advance(to: last)
      }
      seen += busy.advance(to: time, applying: input)
    }
    #expect(seen == expected)
  }

  @Test(arguments: seeds)
  func `portions of any size change nothing, whatever happens`(seed: Seed) {
    var storm = Storm(seed: seed)
    let recording = (0..<200).map { _ in storm.next() }
    var (plain, sliced) = (storm.engine(), storm.engine())
    var (expected, seen): ([Effect], [Effect]) = ([], [])
    var size: Int64 = 0
    for (time, input) in recording {
      expected += plain.advance(to: time, applying: input)
      while let due = sliced.deadline, due <= time {
        size = size % 3 + 1
        let count = sliced.fire(until: time, atMost: size, into: &seen)
        #expect(count > 0 && sliced.deadline != due, "each portion is progress")
      }
      seen += sliced.advance(to: time, applying: input)
      #expect(sliced == plain)
    }
    #expect(seen == expected)
  }

  @Test(arguments: seeds)
  func `what is explained is what happens`(seed: Seed) throws {
    var storm = Storm(seed: seed)
    var engine = storm.engine()
    for _ in 0..<300 {
      let (time, input) = storm.next()
      let explanations = engine.explanations(of: input, at: time)
      _ = engine.advance(to: time)
      let before = explanations.map { engine[$0.control] }
      _ = engine.advance(to: time, applying: input)
      for (explanation, before) in zip(explanations, before) {
        let settings = try #require(engine.adjustedSettings(of: explanation.control))
        // Others publish what they have at the end of a gesture.
        guard settings.feel.isContinuous else { continue }
        #expect(
          explanation.before == before?.value && explanation.after == engine[explanation.control]?.value)
        #expect(explanation.outcome == .changed || explanation.before == explanation.after)
      }
    }
  }

  @Test(arguments: seeds)
  func `sequence numbers and times only grow`(seed: Seed) {
    var storm = Storm(seed: seed)
    var engine = storm.engine()
    var (sequence, time) = (Int64(0), Instant.milliseconds(0))
    for _ in 0..<300 {
      // Stamps of devices may be older than the present.
      let (instant, input) = storm.next(jitter: true)
      for case .publish(let state) in engine.advance(to: instant, applying: input) {
        #expect(state.sequence > sequence && state.time >= time)
        (sequence, time) = (state.sequence, state.time)
      }
    }
  }
}

/// Random inputs for controls of every profile.
private struct Storm {
  /// Whether ranges and steps are adjusted too.
  var adjusts = true
  private var generator: SeededGenerator
  private var time: Int64 = 0
  /// How many configurations there were before the present one.
  private var generation: UInt64 = 0

  init(seed: Seed) { generator = SeededGenerator(seed) }

  func engine() -> Engine {
    var engine = Engine(Self.configuration, at: .milliseconds(0))
    _ = engine.advance(
      to: .milliseconds(0), applying: .deviceAdded(DeviceNumber(0), .virtual(settingsName: "panel")))
    return engine
  }

  /// A control of each profile, and some with options that profiles do not combine.
  static let configuration: EngineConfiguration = {
    let inputs = """
      increment=panel:plus page-decrement=panel:minus rotate=panel:dial
      push={input="panel:push",short="toggle",toggle=[3,7],double="increment",triple="reset",long="page-mode"}
      """.split(separator: "\n").joined(separator: " ")
    let own = [
      "wraps maximum=11 step=3", "at-end step=0.25 precision=2", "minimum=none maximum=1000000",
      "profile=gtk wraps climb-rate=3 first-step=tap at-limit=fire limit-buttons=live",
      "profile=gtk wraps wrap-landing=modular partial-step=refuse maximum=11 step=3 second-press=both",
      "partial-step=grid wraps maximum=13 minimum=1 step=5 snap-to-ticks=always",
      "reset-after=1s snap-to-ticks=always maximum=11 step=3 initial=4 lost-release=run-on",
      "at-end reset-after=2s",
      "profile=winui minimum=0 maximum=20 wraps bounds=advisory curve=logarithmic initial=3",
    ]
    let profiles = Profile.builtIn.map(\.name).filter { $0 != "picker" }.map { "profile=\($0)" }
    let lines = (profiles + own).enumerated().map { index, options in
      let isBounded = !options.contains("winui") && !options.contains("none")
      return "control c\(index) \(options) \(inputs)" + (isBounded ? " absolute=panel:fader" : "")
    }
    let layers = #"""
      control mode choices=["a","b","c"] push={input="panel:push",short="next",double="previous"} increment=panel:minus
      control layered pickup=soft first-step=release increment={input="panel:plus",when={mode=["a","c"]}} \
      rotate={input="panel:dial",when={mode="b"}} absolute={input="panel:fader",when={mode="a"}} \
      push={input="panel:push",short="increment",triple="reset",when={mode="b"}}
      control switch kind=toggle reset=panel:minus push={input="panel:push",short="toggle",double="reset",when={mode="c"}}
      control talk kind=button push={input="panel:plus",when={switch="on"}}
      control last lost-release=run-on second-press=both increment={input="panel:plus",when={switch="on",mode="a"}} \
      decrement={input="panel:minus",when={switch="off"}}
      """#.replacing("\\\n", with: "").split(separator: "\n").map(String.init)
    do {
      return try configurationFrom(
        lines + layers + ["device panel acceleration=true counts-per-detent=2", "daemon idle-after=1s"])
    } catch {
      fatalError("\(error)")
    }
  }()

  mutating func next(jitter: Bool = false) -> (Instant, Input) {
    time += Int64.random(in: 0...700, using: &generator)
    let stamp = jitter ? time - Int64.random(in: 0...900, using: &generator) : time
    return (.milliseconds(stamp), input())
  }

  private mutating func input() -> Input {
    let control = ControlID(
      Int.random(in: Self.configuration.controls.indices, using: &generator), generation: generation)
    let usage = VirtualInput.allCases.randomElement(using: &generator)?.usage ?? .dial
    let extremes: [Int32] = [.min, .max, -1, 0, 1, 2, 7]
    let value = extremes.randomElement(using: &generator) ?? 1
    let number = FixedPoint(units: Int64(value), digits: 3)
    let hold = HoldNumber(Int64.random(in: 0..<4, using: &generator))
    switch Int.random(in: 0..<20, using: &generator) {
    case 16:
      return .press(control, hold, PressAction.allCases.randomElement(using: &generator) ?? .increment)
    case 17: return .release(control, hold)
    case 18: return .turn(control, detents: Int64(value))
    case 19: return .slide(control, hold, position: Int64(value.magnitude % 1_200_000))
    case 0: return .deviceRemoved(DeviceNumber(0))
    case 1: return .deviceAdded(DeviceNumber(0), .virtual(settingsName: "panel"))
    case 2: return .resynchronized(DeviceNumber(0), [EvdevEvent(usage, value)], keysDown: [usage])
    case 3:
      return .set(
        control, SetRequest(Bool.random(using: &generator) ? number : nil, clamps: true, isText: true))
    case 4: return .step(control, Int64.random(in: .min ... .max, using: &generator), .page)
    case 5: return .reset(control)
    case 6:
      generation += 1
      return .configured(Self.configuration)
    case 7: return .timeSkipped(by: .milliseconds(Int64(value.magnitude % 5_000)))
    case 8: return .everythingReleased
    case 9: return .step(control, Int64.random(in: -20...20, using: &generator), .step)
    case 10 where adjusts: return .adjust(control, Adjustment(minimumValue: number))
    case 11 where adjusts: return .adjust(control, Adjustment(maximumValue: number, stepValue: 3))
    default: return .frame(DeviceNumber(0), [EvdevEvent(usage, value)])
    }
  }
}
