import StepperCore
import StepperInterfaces
import Varlink

/// Answers `org.stepperd.device`.
struct DeviceMethods {
  unowned let devices: Devices
  unowned let followers: Followers

  private static let usualClick: Int64 = 40

  /// nil if this interface does not have the method.
  func answer(_ call: VarlinkCall, from session: Session) throws(VarlinkFailure) -> Answer? {
    switch call.method {
    case DeviceInterface.List.name:
      _ = try call.parameters(of: DeviceInterface.List.self)
      return .reply(DeviceInterface.List.self, .init(devices: devices.descriptions))
    case DeviceInterface.Subscribe.name:
      _ = try call.parameters(of: DeviceInterface.Subscribe.self)
      let follower = DeviceFollower(of: devices)
      followers.add(follower)
      return .stream(follower)
    case DeviceInterface.Turn.name, DeviceInterface.Press.name, DeviceInterface.Release.name,
      DeviceInterface.Click.name, DeviceInterface.Move.name:
      try inject(call, from: session)
      return .done
    default: return nil
    }
  }

  /// The parameters are within the limits of ``MethodLimits``.
  private func inject(_ call: VarlinkCall, from session: Session) throws(VarlinkFailure) {
    switch call.method {
    case DeviceInterface.Turn.name:
      let parameters = try call.parameters(of: DeviceInterface.Turn.self)
      let (entry, _) = try input(parameters.device, parameters.input) { $0 == .dial }
      devices.inject(
        [EvdevEvent(VirtualInput.dial.usage, Int32(clamping: parameters.detents))], into: entry)
    case DeviceInterface.Move.name:
      let parameters = try call.parameters(of: DeviceInterface.Move.self)
      let (entry, _) = try input(parameters.device, parameters.input) { $0 == .fader }
      let travel = VirtualInput.faderRange
      let counts = Double(travel.upperBound - travel.lowerBound) * min(max(parameters.position, 0), 1)
      let position = travel.lowerBound + Int32(counts.rounded())
      devices.inject([EvdevEvent(VirtualInput.fader.usage, position)], into: entry)
    case DeviceInterface.Press.name:
      let parameters = try call.parameters(of: DeviceInterface.Press.self)
      let (entry, button) = try button(parameters.device, parameters.input)
      devices.press(button, of: entry, by: session.id)
    case DeviceInterface.Release.name:
      let parameters = try call.parameters(of: DeviceInterface.Release.self)
      let (entry, button) = try button(parameters.device, parameters.input)
      devices.release(button, of: entry, by: session.id)
    default:
      let parameters = try call.parameters(of: DeviceInterface.Click.self)
      let (entry, button) = try button(parameters.device, parameters.input)
      devices.click(button, of: entry, for: .milliseconds(parameters.milliseconds ?? Self.usualClick))
    }
  }

  private func button(_ device: String, _ name: String) throws(VarlinkFailure) -> (DeviceEntry, VirtualInput)
  {
    try input(device, name) { $0.usage.isKey }
  }

  private func input(
    _ device: String, _ name: String, where fits: (VirtualInput) -> Bool
  ) throws(VarlinkFailure) -> (DeviceEntry, VirtualInput) {
    guard let entry = devices.entry(named: device) else {
      throw VarlinkFailure(DeviceInterface.NoSuchDevice(device: device))
    }
    guard entry.isVirtual else { throw VarlinkFailure(DeviceInterface.NotVirtual(device: device)) }
    guard let input = VirtualInput(rawValue: name), fits(input) else {
      let inputs = VirtualInput.allCases.filter(fits).map(\.rawValue)
      throw VarlinkFailure(DeviceInterface.NoSuchInput(device: device, input: name, inputs: inputs))
    }
    return (entry, input)
  }
}
