internal import StepperCore
internal import StepperText

/// A control of a configuration that is not in use yet, moved by the frames of watched devices.
struct Rehearsal: Sendable {
  private var engine: Engine
  private let control: ControlID
  private let settings: ControlSettings
  private var devices: [String: (number: DeviceNumber, identity: DeviceIdentity)] = [:]
  private var count = 0

  /// `devices` are the devices that match tables of `configuration`, with the names of the tables. Nil if the
  /// configuration has no such control.
  init?(
    _ name: String, of configuration: EngineConfiguration,
    devices: [(device: RecordedDevice, settingsName: String)], at now: Instant
  ) {
    engine = Engine(configuration, at: now)
    guard let control = engine.control(named: name),
      let settings = configuration.controls.first(where: { $0.name == name })
    else { return nil }
    (self.control, self.settings) = (control, settings)
    follow(devices)
  }

  /// Updates the connected devices to exactly `devices`.
  mutating func follow(_ devices: [(device: RecordedDevice, settingsName: String)]) {
    for (name, (number, identity)) in self.devices
    where !devices.contains(where: { $0.device.name == name && $0.device.identity == identity }) {
      self.devices[name] = nil
      _ = engine.advance(to: engine.now, applying: .deviceRemoved(number))
    }
    for (device, settingsName) in devices where self.devices[device.name] == nil {
      let number = DeviceNumber(count)
      count += 1
      self.devices[device.name] = (number, device.identity)
      _ = engine.advance(
        to: engine.now, applying: .deviceAdded(number, device.capabilities(settingsName: settingsName)))
    }
  }

  /// Sets the value, clamped to the range.
  mutating func start(at value: FixedPoint) {
    _ = engine.advance(to: engine.now, applying: .set(control, SetRequest(value, clamps: true)))
  }

  /// Whether the frame moved the value.
  mutating func play(_ frame: WatchedFrame) -> Bool {
    guard let device = devices[frame.device] else { return false }
    return advance(to: frame.time, applying: .frame(device.number, frame.events))
  }

  /// Performs the deadlines up to `time`, such as repeats, and applies `input`; returns whether this moved the value.
  mutating func advance(to time: Instant, applying input: Input? = nil) -> Bool {
    let before = value
    _ = engine.advance(to: time, applying: input)
    return value != before
  }

  var value: FixedPoint? { engine[control]?.value }

  var text: String { value.map(settings.text) ?? ControlText.unset }

  /// The position of the value in the range, from 0 to 1; nil without a range or a value.
  var position: Double? {
    guard let value, let low = settings.minimumValue, let high = settings.maximumValue else { return nil }
    let length = high.doubleValue - low.doubleValue
    return length > 0 ? (value.doubleValue - low.doubleValue) / length : nil
  }
}
