import StepperConfiguration
import StepperCore
import TestSupport

/// Random inputs for controls of every profile.
struct Storm {
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
