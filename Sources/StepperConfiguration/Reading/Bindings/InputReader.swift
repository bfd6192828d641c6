import StepperCore
import StepperText

/// Reads references to inputs of configured devices: `"knob:REL_DIAL"`, or a table with options.
struct InputReader {
  let devices: [DeviceConfiguration]
  let codes: CodeNames

  /// The kind of input that a binding requires.
  enum Kind: String {
    case button = "a button (KEY_… or BTN_…)"
    case relativeAxis = "a relative axis (REL_…)"
    case absoluteAxis = "an absolute axis (ABS_…)"

    func includes(_ usage: EvdevUsage) -> Bool {
      switch self {
      case .button: usage.isKey
      case .relativeAxis: usage.isRelative
      case .absoluteAxis: usage.isAbsolute
      }
    }
  }

  /// A binding, and where it was found.
  struct Found {
    var binding: Binding
    let value: ConfigurationValue
    /// The condition of its layer, which is read after all controls.
    let when: ConfigurationValue?
  }

  /// Reads one input or an array of them; `extras` are the optional keys that apply to them.
  func inputs(
    _ value: ConfigurationValue, _ kind: Kind, _ action: Binding.Action, _ extras: Set<BindingKey> = []
  ) -> [Found] {
    value.elements(upTo: ConfigurationLimit.inputs).compactMap { value in
      guard case .table = value.node else {
        return input(value, kind).map { Found(binding: Binding($0, action), value: value, when: nil) }
      }
      return binding(value, kind, action, extras)
    }
  }

  /// `{ input = "knob:REL_DIAL", multiplier = 10, while = "knob:BTN_0", when = { mode = "light" } }`.
  private func binding(
    _ value: ConfigurationValue, _ kind: Kind, _ action: Binding.Action, _ extras: Set<BindingKey>
  ) -> Found? {
    guard let table = value.section(of: BindingKey.self) else { return nil }
    guard let item = table[.input] else { return value.refuse("needs input = \"DEVICE:CODE\"") }
    guard let input = input(item, kind) else { return nil }
    var binding = Binding(input, action)
    table.read(into: &binding)
    if !extras.contains(.multiplier) {
      table[.multiplier]?.report("there are no steps to multiply here", .key)
    }
    if binding.feedback != nil, !extras.contains(.feedback) {
      table[.feedback]?.report(
        "applies to inputs that step, turn or slide; this one causes a moment of the control", .key)
    }
    if let item = table[.whilePressed] { binding.modifier = modifier(item, of: input) }
    return Found(binding: binding, value: value, when: table[.when])
  }

  /// Reads a modifier: a button of the same device as `input`.
  func modifier(_ value: ConfigurationValue, of input: InputReference) -> EvdevUsage? {
    guard let button = self.input(value, .button) else { return nil }
    if button.device != input.device {
      value.report("must be a button of the same device, \(quoted(input.device))")
    } else if button.usage == input.usage {
      value.report("must be another input than the one it modifies")
    }
    return button.usage
  }

  private func input(_ value: ConfigurationValue, _ kind: Kind) -> InputReference? {
    guard let text = value.text() else { return nil }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
      return value.refuse("must be \"DEVICE:CODE\" such as \"knob:REL_DIAL\", found \(quoted(text))")
    }
    guard let device = devices.named(parts[0], at: value) else { return nil }
    switch device.source {
    case .light, .vibrator:
      return value.refuse("\(quoted(parts[0])) has no inputs: it is a light or a vibrator of /sys/class/leds")
    case .matching, .virtual: break
    }
    guard let usage = usage(named: parts[1], of: device, at: value) else { return nil }
    guard kind.includes(usage) else {
      return value.refuse("needs \(kind.rawValue), found \(quoted(parts[1]))")
    }
    return InputReference(device: parts[0], usage: usage)
  }

  private func usage(named name: String, of device: DeviceConfiguration, at value: ConfigurationValue)
    -> EvdevUsage?
  {
    guard device.source == .virtual else { return codes.usage(named: name, at: value) }
    if let input = VirtualInput(word: name) { return input.usage }
    let names = VirtualInput.allCases.map(\.rawValue)
    return value.refuse(
      "a virtual device has the inputs \(names.joined(separator: ", ")), found \(quoted(name))"
    ) {
      suggestion(for: name, among: names)
    }
  }
}

extension CodeNames {
  /// The usage with the kernel's name `name`. If there is none, reports that at `value` and returns nil.
  func usage(named name: String, at value: ConfigurationValue) -> EvdevUsage? {
    resolve(name)
      ?? value.refuse(
        "there is no key or axis \(quoted(name)); use the kernel's names such as \"REL_DIAL\" or \"KEY_VOLUMEUP\""
      ) { suggestion(for: name, among: all) }
  }
}
