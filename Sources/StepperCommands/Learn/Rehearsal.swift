internal import StepperCore

/// A control of a configuration that is not in use yet, moved by the frames of a device that is watched.
struct Rehearsal: Sendable {
  private var engine: Engine
  private let control: ControlID
  private let settings: ControlSettings
  private var devices: [String: DeviceNumber] = [:]

  /// `devices` are those that tables of `configuration` match, with the names of the tables. nil: the configuration has
  /// no such control.
  init?(
    _ name: String, of configuration: EngineConfiguration,
    devices: [(device: WatchedDevice, settingsName: String)], at now: Instant
  ) {
    engine = Engine(configuration, at: now)
    guard let control = engine.control(named: name),
      let settings = configuration.controls.first(where: { $0.name == name })
    else { return nil }
    (self.control, self.settings) = (control, settings)
    for (index, (device, settingsName)) in devices.enumerated() {
      let number = DeviceNumber(index)
      self.devices[device.name] = number
      _ = engine.advance(
        to: now, applying: .deviceAdded(number, device.capabilities(settingsName: settingsName)))
    }
  }

  /// Sets the value, clamped to the range: it starts where the control is.
  mutating func start(at value: FixedPoint) {
    _ = engine.advance(to: engine.now, applying: .set(control, SetRequest(value, clamps: true)))
  }

  /// Whether the frame moved the value.
  mutating func play(_ frame: WatchedFrame) -> Bool {
    guard let device = devices[frame.device] else { return false }
    let before = value
    _ = engine.advance(to: frame.time, applying: .frame(device, frame.events))
    return value != before
  }

  /// Fires what is due, such as repeats; whether that moved the value.
  mutating func advance(to now: Instant) -> Bool {
    let before = value
    _ = engine.advance(to: now)
    return value != before
  }

  var value: FixedPoint? { engine[control]?.value }

  var text: String { value.map(settings.text) ?? "unset" }

  /// The place of the value in the range, 0…1; nil without a range or a value.
  var position: Double? {
    guard let value, let low = settings.minimumValue, let high = settings.maximumValue else { return nil }
    let length = high.doubleValue - low.doubleValue
    return length > 0 ? (value.doubleValue - low.doubleValue) / length : nil
  }
}
