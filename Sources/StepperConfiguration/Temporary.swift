package import StepperCore
extension Configuration {
  package static var embeddedText: String { "" }
  package static func load(_ text: String, file: String, resolvingCode: (String) -> EvdevUsage?, knownCodes: [String]) -> (configuration: Configuration?, problems: [ConfigurationProblem]) {
    var c = Configuration()
    c.devices = [DeviceConfiguration(settings: DeviceSettings(name: "panel"), source: .virtual)]
    var v = ControlSettings(name: "volume")
    v.bindings = [Binding(InputReference(device: "panel", usage: VirtualInput.plus.usage), .step(.increment, .step)), Binding(InputReference(device: "panel", usage: VirtualInput.minus.usage), .step(.decrement, .step)), Binding(InputReference(device: "panel", usage: VirtualInput.dial.usage), .rotate)]
    c.controls = [ControlConfiguration(settings: v)]
    return (c, [])
  }
}
extension ConfigurationProblem: CustomStringConvertible { package var description: String { message } }
