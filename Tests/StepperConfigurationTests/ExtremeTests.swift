import StepperCore
import TestSupport
import Testing

@testable import StepperConfiguration

/// Configurations of the largest and the smallest that is allowed, used without mercy.
@Suite struct ExtremeTests {
  private static let numbers = [
    "-1000000000000000000", "1000000000000000000", "999999999.999999999", "-999999999.999999999",
    "0.000000001", "0", "1",
    "\"none\"",
  ]
  private static let durations = ["\"1ms\"", "\"60s\"", "\"1.000001ms\"", "\"59.999999999s\""]
  private static let options: [(key: String, values: [String])] = [
    ("minimum", numbers), ("maximum", numbers), ("step", numbers), ("page", numbers), ("initial", numbers),
    ("climb-rate", numbers + ["\"step\""]), ("climb-every", ["1", "1000"]), ("climb-after", ["0", "1000"]),
    ("digits", ["0", "9"]), ("precision", ["0", "9"]), ("significant-digits", ["1", "18"]),
    ("wraps", ["true", "false"]), ("wrap-landing", ["\"opposite\"", "\"modular\""]),
    ("wrap-when", ["\"exceed\"", "\"at-limit\""]), ("partial-step", ["\"clamp\"", "\"refuse\"", "\"grid\""]),
    ("snap-to-ticks", ["\"none\"", "\"always\""]), ("bounds", ["\"enforced\"", "\"advisory\""]),
    ("curve", ["\"linear\"", "\"logarithmic\""]), ("pickup", ["\"jump\"", "\"soft\""]),
    ("at-limit", ["\"end\"", "\"pause\"", "\"fire\""]), ("continuous", ["true", "false"]),
    ("range-change", ["\"clamp\"", "\"next-set\"", "\"never\""]), ("unset", ["true", "false"]),
  ]

  /// Some options at an extreme each, and inputs worth as much as there may be.
  private static func text(_ random: inout SeededGenerator) -> String {
    var text = """
      [device.panel]
      virtual = true
      counts-per-detent = \(["1", "100000"].randomElement(using: &random) ?? "1")
      acceleration = { gain = 1000, slow = 0, fast = 0.000000001 }
      axis.fader = { minimum = -2147483647, maximum = 2147483647, dead-zone = 2147483647, hysteresis = 2147483647 }
      [control.c]
      increment = { input = "panel:plus", multiplier = 1000000 }
      page-decrement = { input = "panel:minus", multiplier = 1000000 }
      rotate = { input = "panel:dial", multiplier = 1000000 }
      absolute = "panel:fader"
      push = { input = "panel:push", short = "reset", long = "page-mode", delay = "60s" }

      """
    for (key, values) in options where Int.random(in: 0..<3, using: &random) == 0 {
      text += "\(key) = \(values.randomElement(using: &random) ?? "0")\n"
    }
    let durations = (0..<3).map { _ in Self.durations.randomElement(using: &random) ?? "" }
    text +=
      "repeat = { delay = \(durations[0]), stages = [{ interval = \(durations[1]) }, { from = \"1h\", interval = \(durations[2]) }] }\n"
    return text
  }

  private static func use(_ configuration: Configuration, _ random: inout SeededGenerator) -> Int {
    var engine = Engine(
      EngineConfiguration(
        controls: configuration.controls.map(\.settings), devices: configuration.devices.map(\.settings)),
      at: .milliseconds(0))
    let device = DeviceNumber(0)
    var effects = engine.advance(
      to: .milliseconds(0), applying: .deviceAdded(device, .virtual(settingsName: "panel")))
    var time = Instant.milliseconds(0)
    for _ in 0..<60 {
      time = time + .milliseconds([1, 17, 400].randomElement(using: &random) ?? 1)
      let usage = VirtualInput.allCases.randomElement(using: &random)?.usage ?? .dial
      let value = [Int32.min, -1, 0, 1, .max].randomElement(using: &random) ?? 1
      let input: Input =
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
          .step(ControlID(0, generation: 0), [.min, -1, .max].randomElement(using: &random) ?? 1, .page)
        case 1: .reset(ControlID(0, generation: 0))
        default: .frame(device, [EvdevEvent(usage, value)])
        }
      effects += engine.advance(to: time, applying: input)
    }
    return effects.count
  }

  @Test(arguments: Seed.fresh(8))
  func `what is accepted never traps`(seed: Seed) {
    var random = SeededGenerator(seed)
    var accepted = 0
    for _ in 0..<60 {
      guard let configuration = load(Self.text(&random)).configuration else { continue }
      accepted += 1
      #expect(Self.use(configuration, &random) >= 0)
    }
    #expect(accepted > 0, "every one of them was refused")
  }
}
