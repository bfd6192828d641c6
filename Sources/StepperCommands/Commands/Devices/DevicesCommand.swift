internal import ArgumentParser
internal import StepperClient
internal import StepperCore
internal import StepperLinux
internal import StepperText

struct DevicesCommand: ClientCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "Show the input devices with their inputs, the controls that these change, outputs and lights.")

  @OptionGroup var global: GlobalOptions

  func run(_ client: StepperClient) throws {
    let devices = try client.devices()
    guard !global.json else { return try devices.forEach { try Output.json($0) } }
    guard !devices.isEmpty else { return Output.error("there are no devices") }
    var table = Table(header: ["DEVICE", "STATE", "NODE", "NAME", "INPUTS", "OUTPUTS", "LIGHTS"])
    for device in devices { table.add(row(device)) }
    table.write()
    for device in devices {
      if let provider = device.provider, let process = device.providerProcess {
        Output.line(
          "\(device.device): attached by \(provider.onOneLine()), process \(process) of user \(device.providerUser ?? 0)\(age(device))"
        )
      }
      if let problem = device.problem { Output.line("\(device.device): ", highlighting: problem) }
    }
  }

  /// How long a device has been attached.
  private func age(_ device: DeviceInterface.Device) -> String {
    guard let since = device.attachedMicroseconds else { return "" }
    let age = Instant.now - .microseconds(since)
    return ", for \(max(age, .zero).nanoseconds / 1_000_000_000) s"
  }

  private func row(_ device: DeviceInterface.Device) -> [String] {
    let inputs = device.capabilities.map { input in
      input.controls.isEmpty ? input.name : "\(input.name)→\(input.controls.joined(separator: ","))"
    }
    return [
      device.device, device.virtual ? "virtual" : device.state.rawValue, device.node ?? device.provider ?? "",
      device.name,
      inputs.joined(separator: " "), device.outputs.joined(separator: " "),
      device.lights.joined(separator: " "),
    ]
  }
}
