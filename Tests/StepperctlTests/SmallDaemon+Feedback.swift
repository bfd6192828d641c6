import StepperInterfaces
import Varlink

extension SmallDaemon {
  /// The only device of which anything can be felt or seen.
  static let pad = DeviceInterface.Device(
    device: "pad", name: "Game pad", virtual: false, state: .open, capabilities: [],
    outputs: ["rumble", "click"], lights: ["LED_MUTE"], events: 0, overruns: 0, connects: 1)

  /// The best output plays everything but errors, for which it has no time.
  static func played(_ call: VarlinkCall) throws(VarlinkFailure) -> DeviceInterface.PlayEffect.Reply {
    let parameters = try call.parameters(of: DeviceInterface.PlayEffect.self)
    let output = try found(parameters.output, of: parameters.device, among: \.outputs)
    return .init(played: parameters.effect == .error ? nil : output)
  }

  static func lit(_ call: VarlinkCall) throws(VarlinkFailure) -> NoParameters {
    let parameters = try call.parameters(of: DeviceInterface.SetLight.self)
    _ = try found(parameters.light, of: parameters.device, among: \.lights)
    return .init()
  }

  private static func found(
    _ name: String?, of device: String, among names: KeyPath<DeviceInterface.Device, [String]>
  ) throws(VarlinkFailure) -> String {
    guard let found = devices.first(where: { $0.device == device }) else {
      throw VarlinkFailure(DeviceInterface.NoSuchDevice(device: device))
    }
    let names = found[keyPath: names]
    guard let played = name ?? names.first, names.contains(played) else {
      let error = DeviceInterface.NoSuchOutput(device: device, output: name ?? "", outputs: names)
      throw VarlinkFailure(error)
    }
    return played
  }
}
