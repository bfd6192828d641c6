import StepperCore
import StepperWire

/// Answers `org.stepperd.device`.
struct DeviceMethods {
  unowned let devices: Devices

  static let longestClick: Int64 = 60_000
  static let usualClick: Int64 = 40
  static let subscriptionsPerDaemon = 64

  /// nil: no method of this interface.
  func answer(_ call: VarlinkCall, from session: Session, isAdministrator: Bool) throws(VarlinkFailure)
    -> Answer?
  {
    switch call.method {
    case DeviceInterface.List.name:
      _ = try call.parameters(of: DeviceInterface.List.self)
      return .reply(DeviceInterface.List.self, .init(devices: devices.descriptions))
    case DeviceInterface.Subscribe.name:
      _ = try call.parameters(of: DeviceInterface.Subscribe.self)
      return try subscribe()
    case DeviceInterface.Turn.name, DeviceInterface.Press.name, DeviceInterface.Release.name,
      DeviceInterface.Click.name, DeviceInterface.Move.name:
      guard isAdministrator else { throw VarlinkFailure(ServiceInterface.PermissionDenied()) }
      try inject(call, from: session)
      return .done
    default: return nil
    }
  }

  private func subscribe() throws(VarlinkFailure) -> Answer {
    guard devices.feedCount < Self.subscriptionsPerDaemon else {
      throw VarlinkFailure(DeviceInterface.TooManySubscriptions(limit: Int64(Self.subscriptionsPerDaemon)))
    }
    let feed = DeviceFeed(of: devices)
    devices.add(feed)
    return .stream(feed)
  }

  private func inject(_ call: VarlinkCall, from session: Session) throws(VarlinkFailure) {
    switch call.method {
    case DeviceInterface.Turn.name:
      let parameters = try call.parameters(of: DeviceInterface.Turn.self)
      let (entry, _) = try input(parameters.device, parameters.input) { $0 == .dial }
      guard let detents = Int32(exactly: parameters.detents) else { throw invalid("detents") }
      devices.inject([EvdevEvent(VirtualInput.dial.usage, detents)], into: entry)
    case DeviceInterface.Move.name:
      let parameters = try call.parameters(of: DeviceInterface.Move.self)
      let (entry, _) = try input(parameters.device, parameters.input) { $0 == .fader }
      guard (0...1).contains(parameters.position) else { throw invalid("position") }
      let travel = VirtualInput.faderRange
      let counts = Double(travel.upperBound - travel.lowerBound) * parameters.position
      let position = travel.lowerBound + Int32(counts.rounded())
      devices.inject([EvdevEvent(VirtualInput.fader.usage, position)], into: entry)
    case DeviceInterface.Press.name:
      let parameters = try call.parameters(of: DeviceInterface.Press.self)
      let (entry, button) = try button(parameters.device, parameters.input)
      devices.press(button, of: entry, by: .session(session.id))
    case DeviceInterface.Release.name:
      let parameters = try call.parameters(of: DeviceInterface.Release.self)
      let (entry, button) = try button(parameters.device, parameters.input)
      devices.release(button, of: entry, by: .session(session.id))
    default:
      let parameters = try call.parameters(of: DeviceInterface.Click.self)
      let (entry, button) = try button(parameters.device, parameters.input)
      let milliseconds = parameters.milliseconds ?? Self.usualClick
      guard (0...Self.longestClick).contains(milliseconds) else { throw invalid("milliseconds") }
      devices.click(button, of: entry, for: .milliseconds(milliseconds))
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

  private func invalid(_ parameter: String) -> VarlinkFailure {
    VarlinkFailure(ServiceInterface.InvalidParameter(parameter: parameter))
  }
}
