import StepperCore
import TestSupport
import Testing

@testable import StepperConfiguration

/// Every combination of options is legal, and then the engine can be given anything; or it is refused with a
/// reason at one of the keys.
@Suite struct OptionCombinations {
  static let seeds = Seed.fresh(150)

  /// What is tried of options that are no words.
  static let values: [OptionKey: [String]] = [
    .minimum: ["0", "-7.5", "\"none\"", "1"], .maximum: ["10", "1000000", "\"none\"", "1"],
    .step: ["1", "3", "0.25", "100"], .page: ["\"ten steps\"", "\"a tenth\"", "5", "0.5"],
    .initial: ["0", "\"unset\"", "7", "1.25"],
    .digits: ["\"as needed\"", "0", "2"], .precision: ["\"as shown\"", "0", "3", "9"],
    .significantDigits: ["\"all\"", "1", "10"], .climbRate: ["0", "1", "2.5"], .climbEvery: ["1", "6"],
    .climbAfter: ["0", "2"], .repeat: ["{ delay = \"1ms\", interval = \"1ms\" }"], .currency: ["\"EUR\""],
    .multiPress: ["\"50ms\"", "\"5s\""],
  ]

  private static func options(_ generator: inout SeededGenerator) -> [(key: OptionKey, value: String)] {
    OptionKey.allCases.compactMap { key in
      guard key != .kind, Int.random(in: 0..<3, using: &generator) == 0 else { return nil }
      let words = key.key.words.map { "\"\($0)\"" }
      let candidates = values[key] ?? (words.isEmpty ? ["true", "false"] : words)
      return candidates.randomElement(using: &generator).map { (key, $0) }
    }
  }

  @Test(arguments: seeds)
  func `a combination is refused with a reason, or bears anything`(seed: Seed) throws {
    var generator = SeededGenerator(seed)
    let options = Self.options(&generator)
    let profile = try #require(
      Profile.builtIn.filter { $0.name != "picker" }.randomElement(using: &generator))
    let text =
      "[device.panel]\nvirtual = true\n[control.c]\nprofile = \"\(profile.name)\"\n"
      + "increment = \"panel:plus\"\npage-decrement = \"panel:minus\"\nrotate = \"panel:dial\"\n"
      + options.map { "\($0.key.rawValue) = \($0.value)\n" }.joined()
    let (configuration, problems) = Configuration.load(
      Array(text.utf8), file: "f")
    guard let settings = configuration?.controls.first?.settings else {
      for problem in problems where problem.severity == .error {
        let key = problem.keyPath.split(separator: ".").last.map(String.init) ?? ""
        let isAtKey = options.contains { $0.key.rawValue == key } || key == "c"
        #expect(isAtKey, "\(problem.description) in\n\(text)")
        #expect(problem.message.count > 10)
      }
      return
    }
    var engine = Engine(
      EngineConfiguration(controls: [settings], devices: [DeviceSettings(name: "panel")]),
      at: .milliseconds(0))
    _ = engine.advance(
      to: .milliseconds(0), applying: .deviceAdded(DeviceNumber(0), .virtual(settingsName: "panel")))
    var time: Int64 = 0
    for _ in 0..<120 {
      time += Int64.random(in: 0...300, using: &generator)
      _ = engine.advance(to: .milliseconds(time), applying: Self.input(settings, &generator))
      let value = engine[ControlID(0, generation: 0)]?.value
      #expect(value != nil || settings.textRules.canBeUnset)
      if let value { _ = settings.text(of: value) }
    }
  }

  private static func input(_ settings: ControlSettings, _ generator: inout SeededGenerator) -> Input {
    let number = FixedPoint(units: Int64.random(in: -30_000...30_000, using: &generator), digits: 3)
    let count = [Int64(-3), -1, 1, 2, .min, .max].randomElement(using: &generator) ?? 1
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: return .set(ControlID(0, generation: 0), SetRequest(number, clamps: true, isText: true))
    case 1: return .step(ControlID(0, generation: 0), count, .step)
    case 2: return .adjust(ControlID(0, generation: 0), Adjustment(minimumValue: number))
    case 3: return .adjust(ControlID(0, generation: 0), Adjustment(maximumValue: number, stepValue: 1))
    case 4: return .reset(ControlID(0, generation: 0))
    default:
      let usage = [VirtualInput.plus, .minus, .dial].randomElement(using: &generator)?.usage ?? .dial
      return .frame(DeviceNumber(0), [EvdevEvent(usage, Int32.random(in: -1...1, using: &generator))])
    }
  }
}
