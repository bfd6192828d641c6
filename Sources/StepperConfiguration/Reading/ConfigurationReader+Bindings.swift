import StepperCore

/// What drives a control: `increment = "front:KEY_VOLUMEUP"` and its like.
extension ConfigurationReader {
  mutating func bindings(
    _ section: Section<ControlKey>, _ settings: ControlSettings, _ devices: [DeviceConfiguration]
  ) -> [Binding] {
    var result: [Binding] = []
    var places: [Binding.Place: ValuePath] = [:]
    func add(_ found: [FoundBinding], _ action: Binding.Action, to reader: inout Self) {
      for (found, path) in found {
        var binding = found
        if let former = places.updateValue(path, forKey: binding.place) {
          reader.report("this input drives the control already, by \(former)", at: path)
        }
        binding.action = action
        result.append(binding)
      }
    }
    let steps: [(ControlKey, Direction, StepUnit)] = [
      (.increment, .increment, .step), (.decrement, .decrement, .step), (.pageIncrement, .increment, .page),
      (.pageDecrement, .decrement, .page), (.toMaximum, .increment, .limit), (.toMinimum, .decrement, .limit),
    ]
    for (key, direction, unit) in steps {
      let extras: BindingExtras = unit == .limit ? .feedback : [.multiplier, .feedback]
      add(inputs(section, key, .button, devices, extras), .step(direction, unit), to: &self)
    }
    add(inputs(section, .reset, .button, devices), .reset, to: &self)
    add(inputs(section, .rotate, .relativeAxis, devices, [.multiplier, .feedback]), .rotate, to: &self)
    for (key, bound) in [(ControlKey.toMinimum, settings.minimumValue), (.toMaximum, settings.maximumValue)]
    where section[key] != nil && bound == nil {
      report("there is no such end of the range to go to", at: section.path(of: key))
    }
    let absolute = inputs(section, .absolute, .absoluteAxis, devices, .feedback)
    if !absolute.isEmpty, settings.kind == .continuous,
      settings.minimumValue == nil || settings.maximumValue == nil
    {
      report("needs a control with a minimum and a maximum", at: section.path(of: .absolute))
    }
    add(absolute, .absolute, to: &self)
    if let item = section[.push] {
      let (found, actions) = push(item, settings.kind, devices)
      add(found, .push(actions), to: &self)
    }
    return result
  }

  /// What kind of input a binding needs.
  enum InputKind: String {
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

  /// What a binding may say besides its input.
  struct BindingExtras: OptionSet {
    let rawValue: Int
    static let multiplier = BindingExtras(rawValue: 1)
    static let feedback = BindingExtras(rawValue: 2)
  }

  /// A binding whose action is not known yet, and where it was found.
  typealias FoundBinding = (binding: Binding, path: ValuePath)

  mutating func inputs(
    _ section: Section<ControlKey>, _ key: ControlKey, _ kind: InputKind, _ devices: [DeviceConfiguration],
    _ extras: BindingExtras = []
  ) -> [FoundBinding] {
    guard let item = section[key] else { return [] }
    return inputs(item.node, at: item.path, kind, devices, extras)
  }

  mutating func inputs(
    _ node: DocumentNode, at path: ValuePath, _ kind: InputKind, _ devices: [DeviceConfiguration],
    _ extras: BindingExtras = []
  ) -> [FoundBinding] {
    elements(node, at: path, upTo: ConfigurationLimit.inputs).compactMap { node, path in
      guard case .table = node else {
        return input(node, at: path, kind, devices).map { (Binding($0, .reset), path) }
      }
      return binding(node, at: path, kind, devices, extras)
    }
  }

  /// `{ input = "knob:REL_DIAL", multiplier = 10, while = "knob:BTN_0" }`.
  private mutating func binding(
    _ node: DocumentNode, at path: ValuePath, _ kind: InputKind, _ devices: [DeviceConfiguration],
    _ extras: BindingExtras
  ) -> FoundBinding? {
    guard let table = section(node, at: path, of: BindingKey.self) else { return nil }
    guard let item = table[.input] else {
      report("needs input = \"DEVICE:CODE\"", at: path)
      return nil
    }
    guard let input = input(item.node, at: item.path, kind, devices) else { return nil }
    var binding = Binding(input, .reset)
    if let multiplier = integer(table, .multiplier, in: 1...1_000_000) {
      if !extras.contains(.multiplier) {
        report("there are no steps to multiply here", at: table.path(of: .multiplier), .key)
      }
      binding.multiplier = Int64(multiplier)
    }
    binding.feedback = word(table, .feedback, of: FeedbackEffect.self)
    if binding.feedback != nil, !extras.contains(.feedback) {
      report(
        "is for inputs that step, turn or slide; what this one does is a moment of the control",
        at: table.path(of: .feedback), .key)
    }
    if let item = table[.whilePressed] {
      binding.modifier = modifier(item.node, at: item.path, of: input, devices)
    }
    return (binding, path)
  }

  /// A button of the device that `input` is of.
  mutating func modifier(
    _ node: DocumentNode, at path: ValuePath, of input: InputReference, _ devices: [DeviceConfiguration]
  ) -> EvdevUsage? {
    guard let button = self.input(node, at: path, .button, devices) else { return nil }
    if button.device != input.device {
      report("must be a button of the same device, \(quoted(input.device))", at: path)
    } else if button.usage == input.usage {
      report("must be another input than the one it modifies", at: path)
    }
    return button.usage
  }

  private mutating func input(
    _ node: DocumentNode, at path: ValuePath, _ kind: InputKind, _ devices: [DeviceConfiguration]
  ) -> InputReference? {
    guard let text = text(node, at: path) else { return nil }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
      report("must be \"DEVICE:CODE\" such as \"knob:REL_DIAL\", found \(quoted(text))", at: path)
      return nil
    }
    guard let device = device(named: parts[0], at: path, devices) else { return nil }
    switch device.source {
    case .light, .vibrator:
      report("\(quoted(parts[0])) has no inputs: it is something of /sys/class/leds", at: path)
      return nil
    case .matching, .virtual: break
    }
    guard let usage = usage(named: parts[1], of: device, at: path) else { return nil }
    guard kind.includes(usage) else {
      report("needs \(kind.rawValue), found \(quoted(parts[1]))", at: path)
      return nil
    }
    return InputReference(device: parts[0], usage: usage)
  }

  /// The device that a reference names, or nil and the report that there is none.
  mutating func device(
    named name: String, at path: ValuePath, _ devices: [DeviceConfiguration]
  ) -> DeviceConfiguration? {
    if let device = devices.first(where: { $0.settings.name.isExactly(name) }) { return device }
    report(
      "there is no [device.\(excerpt(name))]", at: path,
      suggesting: { _ in suggestion(for: name, among: devices.map(\.settings.name)) })
    return nil
  }

  private mutating func usage(
    named name: String, of device: DeviceConfiguration, at path: ValuePath
  ) -> EvdevUsage? {
    guard device.source == .virtual else {
      let usage = codes.resolve(name)
      if usage == nil { reportUnknownCode(name, at: path) }
      return usage
    }
    let names = VirtualInput.allCases.map(\.rawValue)
    guard let input = VirtualInput(word: name) else {
      report(
        "a virtual device has the inputs \(names.joined(separator: ", ")), found \(quoted(name))", at: path,
        suggesting: { _ in suggestion(for: name, among: names) })
      return nil
    }
    return input.usage
  }
}

extension Binding {
  /// What may be bound to a control but once.
  fileprivate struct Place: Hashable {
    var input: InputReference
    var modifier: EvdevUsage?
  }

  fileprivate var place: Place { Place(input: input, modifier: modifier) }
}
