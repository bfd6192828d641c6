import StepperInterfaces
import TestSupport
import Varlink

/// A daemon of two controls and three devices that always says the same.
enum SmallDaemon {
  static let volume = ControlInterface.State.example("volume", 42)
  static let bass = ControlInterface.State.example("bass", -6, limit: .minimum, live: false)

  static let controls = [
    ControlInterface.Control(
      description: .init(
        control: "volume", kind: .continuous, profile: "uikit", title: "Loudness",
        titles: ["de": "Lautstärke"], unit: "%", minimum: 0, maximum: 100, step: 1, format: .init(),
        wrap: false,
        writable: true),
      state: volume),
    ControlInterface.Control(
      description: .init(
        control: "bass", kind: .continuous, profile: "uikit", unit: "dB", minimum: -6, maximum: 6, step: 0.5,
        format: .init(), wrap: true,
        writable: false),
      state: bass),
  ]

  static let devices = [
    DeviceInterface.Device(
      device: "panel", name: "Virtual front panel", virtual: true, state: .open,
      capabilities: [
        .init(
          name: "plus", role: .button, controls: ["volume"], eventType: "EV_KEY", eventCode: "KEY_VOLUMEUP"),
        .init(name: "dial", role: .encoder, controls: [], eventType: "EV_REL", eventCode: "REL_DIAL"),
      ], outputs: [], lights: [], events: 0, overruns: 0, connects: 1),
    DeviceInterface.Device(
      device: "knob", name: "Knob", node: "/dev/input/event5", virtual: false, state: .denied,
      problem: "permission denied: add the udev rule", capabilities: [], outputs: [], lights: [], events: 0,
      overruns: 0, connects: 0),
    pad,
  ]

  static let status = ManagerInterface.GetStatus.Reply(
    version: "1.2.3", instance: "one", uptimeMicroseconds: 7_265_000_000, sequence: 9, controls: 2,
    devices: 1,
    clients: 3, subscriptions: 1, eventsRead: 11, overruns: 0, repliesSent: 12, changesCoalesced: 4,
    stalls: 0,
    latencyMedianMicroseconds: 40, latencyMaximumMicroseconds: 90, problems: ["knob: permission denied"])

  static func start() throws -> AnsweringPeer { try AnsweringPeer { try answer($0) } }

  static func answer(_ call: VarlinkCall) throws -> [VarlinkReply] {
    do throws(VarlinkFailure) {
      return [try reply(call)]
    } catch {
      return [VarlinkReply(error)]
    }
  }

  private static func reply(_ call: VarlinkCall) throws(VarlinkFailure) -> VarlinkReply {
    switch call.method {
    case ControlInterface.List.name:
      let pattern = try call.parameters(of: ControlInterface.List.self).match ?? "*"
      let matching = controls.filter { pattern == "*" || pattern == $0.state.control }
      return encoded(ControlInterface.List.Reply(instance: "one", sequence: 1, controls: matching))
    case ControlInterface.Get.name:
      return encoded(
        ControlInterface.Get.Reply(state: try state(call.parameters(of: ControlInterface.Get.self).control)))
    case ControlInterface.Reset.name:
      return encoded(
        ControlInterface.Reset.Reply(
          state: try state(call.parameters(of: ControlInterface.Reset.self).control)))
    case ControlInterface.Set.name:
      let parameters = try call.parameters(of: ControlInterface.Set.self)
      guard let value = parameters.text.flatMap(Double.init) else {
        throw VarlinkFailure(
          ControlInterface.NoSuchValue(control: parameters.control, text: parameters.text ?? ""))
      }
      guard (0...100).contains(value) || parameters.clamp == true else {
        throw VarlinkFailure(
          ControlInterface.OutOfRange(control: parameters.control, value: value, minimum: 0, maximum: 100))
      }
      return encoded(ControlInterface.Set.Reply(state: .example(parameters.control, min(value, 100))))
    case ControlInterface.Step.name:
      let parameters = try call.parameters(of: ControlInterface.Step.self)
      let value = 42 + Double(parameters.steps) * (parameters.unit == .page ? 10 : 1)
      return encoded(
        ControlInterface.Step.Reply(state: .example(parameters.control, value), applied: parameters.steps))
    case ControlInterface.Adjust.name: return encoded(try adjusted(call))
    case ControlInterface.Describe.name: return encoded(try described(call))
    case DeviceInterface.List.name: return encoded(DeviceInterface.List.Reply(devices: devices))
    case DeviceInterface.PlayEffect.name: return encoded(try played(call))
    case DeviceInterface.SetLight.name: return encoded(try lit(call))
    case DeviceInterface.Press.name:
      let device = try call.parameters(of: DeviceInterface.Press.self).device
      guard device == "panel" else { throw VarlinkFailure(DeviceInterface.NoSuchDevice(device: device)) }
      return VarlinkReply()
    case ManagerInterface.GetStatus.name: return encoded(status)
    case ManagerInterface.Reload.name:
      throw VarlinkFailure(ManagerInterface.ConfigurationInvalid(problems: [problem(.error, "/etc/x.toml")]))
    default: return VarlinkReply()
    }
  }

  private static func problem(_ severity: ManagerInterface.Severity, _ file: String)
    -> ManagerInterface.Problem
  {
    .init(
      file: file, keyPath: "control.volume.maximun", line: 3, column: 1, severity: severity,
      message: "unknown key", suggestion: "maximum")
  }

  private static func state(_ control: String) throws(VarlinkFailure) -> ControlInterface.State {
    try found(control).state
  }

  static func found(_ control: String) throws(VarlinkFailure) -> ControlInterface.Control {
    guard let found = controls.first(where: { $0.state.control == control }) else {
      throw VarlinkFailure(ControlInterface.NoSuchControl(control: control))
    }
    return found
  }

  static func encoded(_ results: some JSONWritable) -> VarlinkReply {
    // These values hold finite numbers only; if not, the test sees an empty reply.
    VarlinkReply(parameters: (try? VarlinkParameters(encoding: results)) ?? .empty)
  }
}
