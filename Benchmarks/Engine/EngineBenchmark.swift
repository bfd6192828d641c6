import StepperCore
import StepperLinux

/// Measures the engine alone, without input and output: frames a second of one knob among many controls, and ticks a
/// second of one held button.
///
///     engine-benchmark [FRAMES]
@main
enum EngineBenchmark {
  static func main() {
    let frames = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000_000
    for count in [1, 32, 256] {
      let turns = rate(frames) { turn($0, controls: count) }
      let repeats = rate(frames) { hold($0, controls: count) }
      print("\(count) controls: \(turns) frames/s, \(repeats) repeats/s")
    }
  }

  /// How often a second `body` does what it does the given number of times.
  private static func rate(_ count: Int, _ body: (Int) -> Void) -> Int {
    let begin = Instant.now
    body(count)
    return Int(Double(count) / (Double((.now - begin).nanoseconds) / 1e9))
  }

  /// One knob of as many devices as controls is turned back and forth.
  private static func turn(_ count: Int, controls: Int) {
    var (engine, now) = engine(controls)
    var effects: [Effect] = []
    for index in 0..<count {
      now = now + .milliseconds(5)
      let event = EvdevEvent(.dial, index.isMultiple(of: 2) ? 1 : -1)
      engine.advance(to: now, applying: .frame(DeviceNumber(0), EvdevEvents(event)), into: &effects)
      effects.removeAll(keepingCapacity: true)
    }
  }

  /// One button is held, and repeats.
  private static func hold(_ count: Int, controls: Int) {
    var (engine, now) = engine(controls)
    var effects: [Effect] = []
    let press = EvdevEvents(EvdevEvent(.volumeUp, 1))
    engine.advance(to: now, applying: .frame(DeviceNumber(0), press), into: &effects)
    while engine.repeats < Int64(count), let deadline = engine.deadline {
      now = max(now, deadline)
      engine.advance(to: now, into: &effects)
      effects.removeAll(keepingCapacity: true)
    }
  }

  private static func engine(_ count: Int) -> (Engine, Instant) {
    let now = Instant(nanoseconds: 1_000_000_000)
    let controls = (0..<count).map { index in
      var control = ControlSettings(name: "control\(index)")
      (control.minimumValue, control.maximumValue) = (nil, nil)
      control.bindings = [
        Binding(InputReference(device: "knob\(index)", usage: .dial), .rotate),
        Binding(InputReference(device: "knob\(index)", usage: .volumeUp), .step(.increment, .step)),
      ]
      return control
    }
    var engine = Engine(EngineConfiguration(controls: controls, devices: []), at: now)
    var effects: [Effect] = []
    for index in 0..<count {
      let capabilities = DeviceCapabilities(settingsName: "knob\(index)", usages: [.dial, .volumeUp])
      engine.advance(to: now, applying: .deviceAdded(DeviceNumber(index), capabilities), into: &effects)
    }
    return (engine, now)
  }
}
