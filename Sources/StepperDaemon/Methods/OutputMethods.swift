import StepperCore
import StepperInput
import StepperInterfaces
import Varlink

/// The methods of `org.stepperd.device` for outputs and lights.
struct OutputMethods {
  unowned let devices: Devices
  unowned let lights: Lights

  /// nil if this is not a method for outputs.
  func answer(_ call: VarlinkCall, from session: Session) throws(VarlinkFailure) -> Answer? {
    switch call.method {
    case DeviceInterface.PlayEffect.name:
      let parameters = try call.parameters(of: DeviceInterface.PlayEffect.self)
      return .reply(DeviceInterface.PlayEffect.self, .init(played: try play(parameters)?.rawValue))
    case DeviceInterface.SetLight.name:
      try setLight(try call.parameters(of: DeviceInterface.SetLight.self), session)
      return .done
    default: return nil
    }
  }

  private func play(
    _ parameters: DeviceInterface.PlayEffect.Parameters
  ) throws(VarlinkFailure) -> OutputKind? {
    let entry = try entry(parameters.device)
    let kinds = entry.outputs?.kinds ?? []
    let wanted = parameters.output.flatMap(OutputKind.init(rawValue:))
    guard !kinds.isEmpty, parameters.output == nil || wanted.map(kinds.contains) ?? false else {
      throw noSuchOutput(parameters.device, parameters.output ?? "", kinds.map(\.rawValue))
    }
    return devices.play(FeedbackEffect(parameters.effect), on: entry, preferring: wanted)
  }

  private func setLight(
    _ parameters: DeviceInterface.SetLight.Parameters, _ session: Session
  ) throws(VarlinkFailure) {
    let entry = try entry(parameters.device)
    guard lights.hold(parameters.light, of: entry, at: parameters.brightness, by: session.id) else {
      throw noSuchOutput(parameters.device, parameters.light, entry.outputs?.lights ?? [])
    }
  }

  private func entry(_ name: String) throws(VarlinkFailure) -> DeviceEntry {
    guard let entry = devices.entry(named: name) else {
      throw VarlinkFailure(DeviceInterface.NoSuchDevice(device: name))
    }
    return entry
  }

  private func noSuchOutput(_ device: String, _ name: String, _ known: [String]) -> VarlinkFailure {
    VarlinkFailure(DeviceInterface.NoSuchOutput(device: device, output: name, outputs: known))
  }
}

extension FeedbackEffect {
  init(_ effect: DeviceInterface.Effect) { self = Self(rawValue: effect.rawValue) ?? .light }
}
