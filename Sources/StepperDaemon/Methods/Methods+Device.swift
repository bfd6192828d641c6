import StepperCore
import StepperInterfaces
import StepperLinux
import Varlink

/// `org.stepperd.device`.
extension Methods {
  private static let usualClick: Int64 = 40

  func listDevices(_: NoParameters) -> DeviceInterface.List.Reply { .init(devices: devices.descriptions) }

  func subscribeDevices(_: NoParameters) -> Answer {
    .stream(daemon.subscriptions.add(Subscription(.devices, of: session.id)))
  }

  func monitor(_ parameters: DeviceInterface.Monitor.Parameters) -> Answer {
    let names = (parameters.match ?? []).filter { !$0.contains("*") && !$0.contains("?") }
    let options = Subscription.FrameOptions(
      peer: session.peer, includesUnused: parameters.unused ?? false,
      includesKeyboards: parameters.keyboards ?? false,
      names: Set(names))
    let row = daemon.subscriptions.add(
      Subscription(.frames(options), of: session.id, matching: NamePatterns(parameters.match)))
    daemon.updateWatching()
    return .stream(row)
  }

  // MARK: Inputs of virtual devices

  func turn(_ parameters: DeviceInterface.Turn.Parameters) throws(VarlinkFailure) {
    let (entry, dial) = try input(parameters.device, parameters.input) { $0 == .dial }
    devices.inject(EvdevEvent(dial.usage, Int32(clamping: parameters.detents)), into: entry)
  }

  func move(_ parameters: DeviceInterface.Move.Parameters) throws(VarlinkFailure) {
    let (entry, fader) = try input(parameters.device, parameters.input) { $0 == .fader }
    let travel = VirtualInput.faderRange
    let counts = Double(travel.upperBound - travel.lowerBound) * min(max(parameters.position, 0), 1)
    devices.inject(EvdevEvent(fader.usage, travel.lowerBound + Int32(counts.rounded())), into: entry)
  }

  func press(_ parameters: DeviceInterface.Press.Parameters) throws(VarlinkFailure) {
    let (entry, button) = try button(parameters.device, parameters.input)
    let lease = parameters.leaseMilliseconds.map { Duration.milliseconds($0) }
    devices.press(button, of: entry, by: session.id, for: lease)
  }

  func release(_ parameters: DeviceInterface.Release.Parameters) throws(VarlinkFailure) {
    let (entry, button) = try button(parameters.device, parameters.input)
    devices.release(button, of: entry, by: session.id)
  }

  func click(_ parameters: DeviceInterface.Click.Parameters) throws(VarlinkFailure) {
    let (entry, button) = try button(parameters.device, parameters.input)
    devices.click(button, of: entry, for: .milliseconds(parameters.milliseconds ?? Self.usualClick))
  }

  // MARK: Outputs

  func playEffect(_ parameters: DeviceInterface.PlayEffect.Parameters) throws(VarlinkFailure)
    -> DeviceInterface.PlayEffect.Reply
  {
    let entry = try device(parameters.device)
    let kinds = entry.outputs?.kinds ?? []
    let wanted = parameters.output.flatMap(OutputKind.init(rawValue:))
    guard !kinds.isEmpty, parameters.output == nil || wanted.map(kinds.contains) ?? false else {
      throw noSuchOutput(parameters.device, parameters.output ?? "", kinds.map(\.rawValue))
    }
    let effect = FeedbackEffect(rawValue: parameters.effect.rawValue) ?? .light
    return .init(played: devices.play(effect, on: entry, preferring: wanted)?.rawValue)
  }

  func setLight(_ parameters: DeviceInterface.SetLight.Parameters) throws(VarlinkFailure) {
    let entry = try device(parameters.device)
    let lights = daemon.feedback.lights
    guard lights.hold(parameters.light, of: entry, at: parameters.brightness, by: session.id) else {
      throw noSuchOutput(parameters.device, parameters.light, entry.outputs?.lights ?? [])
    }
  }

  // MARK: Names

  private func device(_ name: String) throws(VarlinkFailure) -> DeviceEntry {
    guard let entry = devices.entry(named: name) else {
      throw VarlinkFailure(DeviceInterface.NoSuchDevice(device: name))
    }
    return entry
  }

  private func button(_ device: String, _ name: String) throws(VarlinkFailure) -> (DeviceEntry, VirtualInput)
  {
    try input(device, name) { $0.usage.isKey }
  }

  private func input(
    _ device: String, _ name: String, where fits: (VirtualInput) -> Bool
  ) throws(VarlinkFailure) -> (DeviceEntry, VirtualInput) {
    let entry = try self.device(device)
    guard entry.isVirtual else { throw VarlinkFailure(DeviceInterface.NotVirtual(device: device)) }
    guard let input = VirtualInput(rawValue: name), fits(input) else {
      let inputs = VirtualInput.allCases.filter(fits).map(\.rawValue)
      throw VarlinkFailure(DeviceInterface.NoSuchInput(device: device, input: name, inputs: inputs))
    }
    return (entry, input)
  }

  private func noSuchOutput(_ device: String, _ name: String, _ known: [String]) -> VarlinkFailure {
    VarlinkFailure(DeviceInterface.NoSuchOutput(device: device, output: name, outputs: known))
  }
}
