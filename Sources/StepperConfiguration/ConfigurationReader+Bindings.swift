import StepperCore

/// What drives a control: `increment = "front:KEY_VOLUMEUP"` and its like.
extension ConfigurationReader {
  mutating func bindings(
    _ section: Section<ControlKey>, _ settings: ControlSettings, _ devices: [DeviceConfiguration]
  ) -> [Binding] {
    var result: [Binding] = []
    var places: [InputReference: ValuePath] = [:]
    func add(
      _ found: [(input: InputReference, path: ValuePath)], _ action: Binding.Action, to reader: inout Self
    ) {
      for (input, path) in found {
        if let former = places[input] {
          reader.report("this input drives the control already, by \(former)", at: path)
        }
        places[input] = path
        result.append(Binding(input, action))
      }
    }
    let steps: [(ControlKey, Direction, StepUnit)] = [
      (.increment, .increment, .step), (.decrement, .decrement, .step), (.pageIncrement, .increment, .page),
      (.pageDecrement, .decrement, .page),
    ]
    for (key, direction, unit) in steps {
      add(inputs(section, key, .button, devices), .step(direction, unit), to: &self)
    }
    add(inputs(section, .rotate, .relativeAxis, devices), .rotate, to: &self)
    let absolute = inputs(section, .absolute, .absoluteAxis, devices)
    if !absolute.isEmpty, settings.minimumValue == nil || settings.maximumValue == nil {
      report("needs a control with a minimum and a maximum", at: section.path(of: .absolute))
    }
    add(absolute, .absolute, to: &self)
    if let item = section[.push] {
      let (found, actions) = push(item, devices)
      add(found, .push(actions), to: &self)
    }
    return result
  }

  /// What kind of input a binding needs.
  private enum InputKind: String {
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

  private mutating func inputs(
    _ section: Section<ControlKey>, _ key: ControlKey, _ kind: InputKind, _ devices: [DeviceConfiguration]
  ) -> [(input: InputReference, path: ValuePath)] {
    guard let item = section[key] else { return [] }
    return inputs(item.node, at: item.path, kind, devices)
  }

  private mutating func inputs(
    _ node: DocumentNode, at path: ValuePath, _ kind: InputKind, _ devices: [DeviceConfiguration]
  ) -> [(input: InputReference, path: ValuePath)] {
    elements(node, at: path).compactMap { node, path in
      input(node, at: path, kind, devices).map { ($0, path) }
    }
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
    guard let device = devices.first(where: { $0.settings.name == parts[0] }) else {
      let names = devices.map(\.settings.name)
      report(
        "there is no [device.\(parts[0])]", at: path, suggesting: suggestion(for: parts[0], among: names))
      return nil
    }
    guard let usage = usage(named: parts[1], of: device, at: path) else { return nil }
    guard kind.includes(usage) else {
      report("needs \(kind.rawValue), found \(quoted(parts[1]))", at: path)
      return nil
    }
    return InputReference(device: parts[0], usage: usage)
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
    guard let input = VirtualInput(rawValue: name) else {
      report(
        "a virtual device has the inputs \(names.joined(separator: ", ")), found \(quoted(name))", at: path,
        suggesting: suggestion(for: name, among: names))
      return nil
    }
    return input.usage
  }

  // MARK: Push

  private enum PushWord: String, CaseIterable {
    case none, reset, toggle
    case pageMode = "page-mode"
  }

  private mutating func push(
    _ item: Section<ControlKey>.Item, _ devices: [DeviceConfiguration]
  ) -> ([(input: InputReference, path: ValuePath)], PushActions) {
    guard case .table = item.node, let table = section(item.node, at: item.path, of: PushKey.self) else {
      return (inputs(item.node, at: item.path, .button, devices), PushActions())
    }
    guard let input = table[.input] else {
      report("needs input = \"DEVICE:CODE\"", at: item.path)
      return ([], PushActions())
    }
    let words = [PushKey.short, .long].map { word(table, $0, of: PushWord.self) ?? PushWord.none }
    let values = toggleValues(table, isNeeded: words.contains(.toggle))
    var actions = PushActions(short: action(words[0], values), long: action(words[1], values))
    if let delay = duration(table, .delay, in: .milliseconds(50) ... .seconds(60)) {
      actions.longPressDelay = delay
    }
    return (inputs(input.node, at: input.path, .button, devices), actions)
  }

  private func action(_ word: PushWord, _ values: (FixedPoint, FixedPoint)?) -> PushActions.Action {
    switch word {
    case .none: .none
    case .reset: .reset
    case .pageMode: .pageMode
    case .toggle: values.map { .toggle($0.0, $0.1) } ?? .none
    }
  }

  private mutating func toggleValues(
    _ table: Section<PushKey>, isNeeded: Bool
  ) -> (FixedPoint, FixedPoint)? {
    guard let item = table[.toggle] else {
      if isNeeded { report("needs toggle = [FIRST, SECOND], the two values", at: table.path) }
      return nil
    }
    if !isNeeded {
      report("is of no use without short = \"toggle\" or long = \"toggle\"", at: item.path, .key)
    }
    guard case .array(let nodes) = item.node, nodes.count == 2 else {
      report("must be two numbers [FIRST, SECOND], found \(item.node.found)", at: item.path)
      return nil
    }
    let numbers = nodes.enumerated().compactMap { decimal($0.element, at: item.path[$0.offset]) }
    return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
  }
}
