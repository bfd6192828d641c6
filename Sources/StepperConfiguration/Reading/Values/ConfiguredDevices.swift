import StepperCore
import StepperText

/// The devices of the configuration, to which its controls refer by name.
struct ConfiguredDevices {
  private let devices: [DeviceConfiguration]

  init(_ devices: [DeviceConfiguration]) { self.devices = devices }

  /// The device of that name, or nil and a report at `value`, which names it.
  func device(named name: String, at value: ConfigurationValue) -> DeviceConfiguration? {
    if let device = devices.first(where: { $0.settings.name.isExactly(name) }) { return device }
    value.report("there is no [device.\(excerpt(name))]") {
      suggestion(for: name, among: devices.lazy.map(\.settings.name))
    }
    return nil
  }
}
