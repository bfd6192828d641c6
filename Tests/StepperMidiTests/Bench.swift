import StepperClient
import StepperConfiguration
import StepperCore
import StepperInterfaces
@testable import stepperd_midi

/// A port in virtual time, with a daemon that answers at once.
struct Bench {
  var device: MidiDevice
  var now = Instant.milliseconds(1_000)
  private var handles = 0
  /// `attach CODES`, `detach`, `lost KEYS`, `CODE VALUE`.
  var log: [String] = []

  init(
    protocol: MidiConfiguration.Dialect = .plain, encoding: MidiConfiguration.Encoding? = nil,
    knobs: [MidiInput] = [], faders: [MidiInput] = [],
    motors: Bool = false, found: [String: String] = [:]
  ) {
    var settings = MidiConfiguration.standard
    settings.protocol = `protocol`
    (settings.encoding, settings.knobs, settings.faders) = (encoding, knobs, faders)
    settings.hasMotors = motors
    device = MidiDevice(name: "nano", path: "1-1/0", settings, MidiInputs(words: found))
    device.plugIn(at: now)
    serve()
  }

  mutating func send(_ messages: MidiMessage...) {
    for message in messages { device.receive(message, at: now) }
    serve()
  }

  /// Values of a controller of channel 1.
  mutating func control(_ number: Int, _ values: Int...) {
    for value in values { send(.controller(channel: 1, number: number, value: value)) }
  }

  mutating func pass(_ duration: Duration) {
    let end = now + duration
    while let deadline = device.deadline, deadline <= end {
      now = max(now, deadline)
      serve()
    }
    now = end
    serve()
  }

  mutating func serve() {
    while let call = device.advance(to: now) {
      switch call {
      case .attach(let parameters):
        handles += 1
        let codes =
          (parameters.keys ?? []) + (parameters.relative ?? []).map(\.code)
          + (parameters.absolute ?? []).map { "\($0.code):\($0.maximum)" }
        log.append("attach \(codes.joined(separator: " "))")
        device.device.answered(.attached(handle: "h\(handles)"), at: now)
      case .detach:
        log.append("detach")
        device.device.answered(.done, at: now)
      case .report(let report):
        if let lost = report.lost { log.append("lost \(lost.keysDown)") }
        log += (report.frames ?? []).flatMap(\.events).map { "\($0.code) \($0.value)" }
        device.device.answered(.done, at: now)
      }
    }
  }

  mutating func take() -> [String] {
    defer { log = [] }
    return log
  }

  /// The daemon orders something of the present device.
  mutating func order(_ make: (String) -> ProviderInterface.Order) -> [MidiMessage] {
    device.take(make("h\(handles)"), at: now)
    return device.takeMessages()
  }

  mutating func position(_ output: String, _ position: Double) -> [MidiMessage] {
    order { .init(handle: $0, position: .init(output: output, axis: "", position: position)) }
  }

  mutating func light(_ output: String, _ brightness: Double) -> [MidiMessage] {
    order { .init(handle: $0, light: .init(output: output, brightness: brightness)) }
  }
}
