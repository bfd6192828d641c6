import StepperCommands
import StepperCore
import StepperLinux
import StepperText
import TestSupport

/// The kernel's names.
let kernelCodes = CodeNames.kernel

/// Inputs of every kind for the controls of two configurations, in any order.
struct RandomInputs {
  private var generator: SeededGenerator
  private(set) var time: Int64 = 1_000_000_000_000
  /// How many configurations there were before the present one.
  private var generation: UInt64 = 0

  init(_ seed: Seed) { generator = SeededGenerator(seed) }

  /// With line ends of both kinds, letters of any script, and none at the end.
  static let texts = [
    """
    # Lautstärke é\r
    [device.panel]\r
    virtual = true
    [device.knob]
    match = { name = "*" }
    counts-per-detent = 2

    [control.volume]
    rotate = ["knob:REL_DIAL", "panel:dial"]
    absolute = "knob:ABS_X"
    increment = "knob:KEY_VOLUMEUP"
    decrement = "knob:KEY_VOLUMEDOWN"
    push = { input = "knob:BTN_0", short = "toggle", toggle = [3, 7], long = "page-mode" }
    [control.5]
    profile = "gtk"
    rotate = { input = "knob:REL_DIAL", while = "knob:BTN_0" }
    continuous = false
    step = 0.25
    """,
    """
    [device.knob]
    match = { name = "*" }
    [control.5]
    rotate = "knob:REL_DIAL"
    [control.other]
    kind = "choice"
    choices = ["a", "b", "c"]
    increment = "knob:KEY_VOLUMEUP"
    [control.volume]
    maximum = 50
    rotate = "knob:REL_X"
    """,
  ]

  /// Another configuration was put in use.
  mutating func noteConfiguration() { generation += 1 }

  /// The next input with its instant, which may be before the last one; nil as input: only time passes. `text` is the
  /// configuration of a `configured`.
  mutating func next(
    _ configurations: [EngineConfiguration]
  ) -> (time: Instant, input: Input?, text: Int?) {
    time += Int64.random(in: -200_000...700_123_457, using: &generator)
    let instant = Instant(nanoseconds: time)
    guard Int.random(in: 0..<20, using: &generator) != 0 else {
      generation += 1
      let place = Int.random(in: configurations.indices, using: &generator)
      return (instant, .configured(configurations[place]), place)
    }
    return (instant, Int.random(in: 0..<8, using: &generator) == 0 ? nil : input(), nil)
  }

  private mutating func input() -> Input {
    let isFormer = Int.random(in: 0..<10, using: &generator) == 0
    let control = ControlID(
      Int.random(in: 0...3, using: &generator), generation: isFormer ? generation / 2 : generation)
    let device = DeviceNumber(Int.random(in: 1...3, using: &generator))
    let hold = HoldNumber(Int64.random(in: 0..<4, using: &generator))
    switch Int.random(in: 0..<20, using: &generator) {
    case 16:
      return .press(control, hold, PressAction.allCases.randomElement(using: &generator) ?? .increment)
    case 17: return .release(control, hold)
    case 18: return .turn(control, detents: Int64.random(in: -30...30, using: &generator))
    case 19: return .slide(control, hold, position: Int64.random(in: -1...1_000_001, using: &generator))
    case 0: return .deviceAdded(device, capabilities())
    case 1: return .deviceRemoved(device)
    case 2: return .resynchronized(device, events(), keysDown: keys())
    case 3:
      let sequence: Int64? = flag() ? Int64.random(in: 0...50, using: &generator) : nil
      return .set(
        control, SetRequest(flag() ? number() : nil, clamps: flag(), ifSequence: sequence, isText: flag()))
    case 4:
      return .step(control, Int64.random(in: -30...30, using: &generator), flag() ? .page : .step)
    case 5: return .reset(control)
    case 6:
      return .adjust(
        control,
        Adjustment(
          minimumValue: flag() ? number() : nil, maximumValue: flag() ? number() : nil,
          stepValue: flag() ? 3 : nil, pageIncrement: flag() ? 7 : nil))
    case 7: return .restored(control, flag() ? number() : nil)
    case 8: return .everythingReleased
    case 9: return .timeSkipped(by: .nanoseconds(Int64.random(in: -5...3_000_000_001, using: &generator)))
    default: return .frame(device, events())
    }
  }

  private mutating func flag() -> Bool { Bool.random(using: &generator) }

  private mutating func number() -> FixedPoint {
    FixedPoint(
      units: Int64.random(in: -50_000...100_000, using: &generator),
      digits: Int.random(in: 0...9, using: &generator))
  }

  static let usages: [EvdevUsage] = [
    .dial, .relative(0), .wheel, .wheelHighResolution, .volumeUp, .volumeDown, .button0, .absolute(0),
    .absolute(0x3f), .key(0x2ff),
  ]

  mutating func events() -> EvdevEvents {
    EvdevEvents(
      (0..<Int.random(in: 0...6, using: &generator)).map { _ in
        let extremes: [Int32] = [.min, .max, -1, 0, 0, 1, 1, 1, 2, 700]
        return EvdevEvent(
          Self.usages.randomElement(using: &generator) ?? .dial,
          extremes.randomElement(using: &generator) ?? 1)
      })
  }

  mutating func keys() -> Set<EvdevUsage> { Set(Self.usages.filter { $0.isKey && flag() }) }

  private mutating func capabilities() -> DeviceCapabilities {
    if flag(), flag() { return .virtual(settingsName: "panel") }
    var capabilities = DeviceCapabilities(
      settingsName: flag() ? "knob" : "other", usages: Set(Self.usages.filter { _ in flag() }))
    if capabilities.usages.contains(.absolute(0)) {
      capabilities.axisRanges[0] = flag() ? 0...1023 : Int32.min...Int32.max
      if flag() { capabilities.axisPositions[0] = Int32.random(in: .min ... .max, using: &generator) }
    }
    if capabilities.usages.contains(.dial), flag() {
      capabilities.countsPerDetent[EvdevUsage.dial.code] = Int.random(in: 2...9, using: &generator)
    }
    return capabilities
  }
}
