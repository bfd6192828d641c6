import StepperCore
import StepperText

/// Reads `outputs` and `light` of a control.
struct OutputReader {
  let devices: [DeviceConfiguration]

  /// Reads `"knob"` or `"buzzer:click"`: the outputs that play effects, the preferred one first.
  func outputs(_ value: ConfigurationValue) -> [OutputReference] {
    references(value, upTo: ConfigurationLimit.outputs) { reference, source, value in
      let kinds = source.outputKinds.map(\.rawValue)
      guard !kinds.isEmpty else {
        return value.report("\(quoted(reference.device)) is virtual: it plays no effects and has no lights")
      }
      guard let output = reference.output, !kinds.contains(where: output.isExactly) else { return }
      let known = kinds.count > 1 ? "known are" : "\(quoted(reference.device)) has only"
      value.report("there is no output \(quoted(output)); \(known) \(kinds.joined(separator: ", "))") {
        suggestion(for: output, among: kinds)
      }
    }
  }

  /// Reads `"lamp"` or `"knob:LED_MUTE"`: the lights that show the value.
  func lights(_ value: ConfigurationValue) -> [OutputReference] {
    references(value, upTo: ConfigurationLimit.lights) { reference, source, value in
      let device = quoted(reference.device)
      switch source {
      case .virtual: value.report("\(device) is virtual: it has no lights")
      case .vibrator: value.report("\(device) is a vibrator: it has no lights")
      case .light(let name):
        guard let light = reference.output, !light.isExactly(name) else { return }
        value.report("\(device) is the one light \(quoted(name)), found \(quoted(light))")
      // The names of the device's lights are known only when it is connected.
      case .matching:
        guard reference.output?.isEmpty == true else { return }
        let found = quoted("\(reference.device):")
        value.report("must be \"DEVICE\" or \"DEVICE:LIGHT\" such as \"knob:LED_MUTE\", found \(found)")
      }
    }
  }

  /// Reads one reference or an array of them, all to devices of the configuration. `check` reports outputs and lights
  /// that a device does not have.
  private func references(
    _ value: ConfigurationValue, upTo most: Int,
    check: (OutputReference, DeviceConfiguration.Source, ConfigurationValue) -> Void
  ) -> [OutputReference] {
    value.elements(upTo: most).compactMap { value in
      guard let text = value.text() else { return nil }
      let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard let device = devices.named(parts[0], at: value) else { return nil }
      let reference = OutputReference(device: parts[0], output: parts.count > 1 ? parts[1] : nil)
      check(reference, device.source, value)
      return reference
    }
  }
}

extension [DeviceConfiguration] {
  /// The device named `name`. If there is none, reports that at `value` and returns nil.
  func named(_ name: String, at value: ConfigurationValue) -> DeviceConfiguration? {
    first { $0.settings.name.isExactly(name) }
      ?? value.refuse("there is no [device.\(excerpt(name))]") {
        suggestion(for: name, among: lazy.map(\.settings.name))
      }
  }
}

extension DeviceConfiguration.Source {
  /// The kinds of outputs that may play effects, as far as the configuration says.
  fileprivate var outputKinds: [OutputKind] {
    switch self {
    case .virtual: []
    case .matching: OutputKind.allCases
    case .light: [.classLED]
    case .vibrator: [.vibrator]
    }
  }
}
