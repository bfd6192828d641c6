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
      let multiplies = unit != .limit
      add(inputs(section, key, .button, devices, multiplies: multiplies), .step(direction, unit), to: &self)
    }
    add(inputs(section, .reset, .button, devices), .reset, to: &self)
    add(inputs(section, .rotate, .relativeAxis, devices, multiplies: true), .rotate, to: &self)
    for (key, bound) in [(ControlKey.toMinimum, settings.minimumValue), (.toMaximum, settings.maximumValue)]
    where section[key] != nil && bound == nil {
      report("there is no such end of the range to go to", at: section.path(of: key))
    }
    let absolute = inputs(section, .absolute, .absoluteAxis, devices)
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

  /// A binding whose action is not known yet, and where it was found.
  private typealias FoundBinding = (binding: Binding, path: ValuePath)

  private mutating func inputs(
    _ section: Section<ControlKey>, _ key: ControlKey, _ kind: InputKind, _ devices: [DeviceConfiguration],
    multiplies: Bool = false
  ) -> [FoundBinding] {
    guard let item = section[key] else { return [] }
    return inputs(item.node, at: item.path, kind, devices, multiplies: multiplies)
  }

  private mutating func inputs(
    _ node: DocumentNode, at path: ValuePath, _ kind: InputKind, _ devices: [DeviceConfiguration],
    multiplies: Bool = false
  ) -> [FoundBinding] {
    elements(node, at: path).compactMap { node, path in
      guard case .table = node else {
        return input(node, at: path, kind, devices).map { (Binding($0, .reset), path) }
      }
      return binding(node, at: path, kind, devices, multiplies: multiplies)
    }
  }

  /// `{ input = "knob:REL_DIAL", multiplier = 10, while = "knob:BTN_0" }`.
  private mutating func binding(
    _ node: DocumentNode, at path: ValuePath, _ kind: InputKind, _ devices: [DeviceConfiguration],
    multiplies: Bool
  ) -> FoundBinding? {
    guard let table = section(node, at: path, of: BindingKey.self) else { return nil }
    guard let item = table[.input] else {
      report("needs input = \"DEVICE:CODE\"", at: path)
      return nil
    }
    guard let input = input(item.node, at: item.path, kind, devices) else { return nil }
    var binding = Binding(input, .reset)
    if let multiplier = integer(table, .multiplier, in: 1...1_000_000) {
      if !multiplies { report("there are no steps to multiply here", at: table.path(of: .multiplier), .key) }
      binding.multiplier = Int64(multiplier)
    }
    binding.feedback = word(table, .feedback, of: FeedbackEffect.self)
    if let item = table[.whilePressed], let button = self.input(item.node, at: item.path, .button, devices) {
      if button.device != input.device {
        report("must be a button of the same device, \(quoted(input.device))", at: item.path)
      } else if button.usage == input.usage {
        report("must be another input than the one it modifies", at: item.path)
      }
      binding.modifier = button.usage
    }
    return (binding, path)
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
    _ item: Section<ControlKey>.Item, _ kind: ControlKind, _ devices: [DeviceConfiguration]
  ) -> ([FoundBinding], PushActions) {
    var actions = PushActions()
    switch kind {
    case .toggle: actions.press = .toggle(0, 1)
    case .button: (actions.press, actions.release) = (.set(1), .set(0))
    case .continuous, .choice: break
    }
    let isOwn =
      if case .table(let entries) = item.node {
        entries.keys.contains { PushKey(rawValue: $0) != .input }
      } else { false }
    guard isOwn, let table = section(item.node, at: item.path, of: PushKey.self) else {
      return (inputs(item.node, at: item.path, .button, devices), actions)
    }
    if kind == .button { report("a button does nothing but follow its input", at: item.path) }
    guard let input = table[.input] else {
      report("needs input = \"DEVICE:CODE\"", at: item.path)
      return ([], actions)
    }
    let words = [PushKey.short, .long].map { word(table, $0, of: PushWord.self) ?? PushWord.none }
    let values = toggleValues(table, kind, isNeeded: words.contains(.toggle))
    actions = PushActions(short: action(words[0], values), long: action(words[1], values))
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
    _ table: Section<PushKey>, _ kind: ControlKind, isNeeded: Bool
  ) -> (FixedPoint, FixedPoint)? {
    guard let item = table[.toggle] else {
      if kind == .toggle { return (0, 1) }
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

extension Binding {
  /// What may be bound to a control but once.
  fileprivate struct Place: Hashable {
    var input: InputReference
    var modifier: EvdevUsage?
  }

  fileprivate var place: Place { Place(input: input, modifier: modifier) }
}
