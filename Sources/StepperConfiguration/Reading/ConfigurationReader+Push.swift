import StepperCore

/// `push = "knob:BTN_0"` and its table.
extension ConfigurationReader {
  private enum PushWord: String, CaseIterable {
    case none, reset, toggle
    case pageMode = "page-mode"
  }

  mutating func push(
    _ item: Section<ControlKey>.Item, _ kind: ControlKind, _ devices: [DeviceConfiguration]
  ) -> ([FoundBinding], PushActions) {
    var actions = PushActions()
    switch kind {
    case .toggle: actions.press = .toggle(0, 1)
    case .button: (actions.press, actions.release) = (.set(1), .set(0))
    case .continuous, .choice: break
    }
    let isOwn =
      if case .table(let table) = item.node {
        table.entries.contains { PushKey(word: $0.key) != .input }
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
    var found = inputs(input.node, at: input.path, .button, devices)
    if let item = table[.whilePressed] {
      for index in found.indices {
        found[index].binding.modifier = modifier(
          item.node, at: item.path, of: found[index].binding.input, devices)
      }
    }
    return (found, actions)
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
    guard case .array(let array) = item.node, array.elements.count == 2 else {
      report("must be two numbers [FIRST, SECOND], found \(item.node.found)", at: item.path)
      return nil
    }
    let numbers = array.elements.enumerated().compactMap {
      decimal($0.element.node, at: item.path[$0.offset])
    }
    return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
  }

  /// A press is only long where that does something: a hook or an effect for it is of no use without.
  mutating func warnOfLongPress(
    _ own: Section<ControlKey>, _ options: Section<OptionKey>, _ bindings: [Binding]
  ) {
    let canBeLong = bindings.contains { binding in
      if case .push(let actions) = binding.action { actions.long != .none } else { false }
    }
    guard !canBeLong else { return }
    var places: [ValuePath] = []
    if own[.onLongPress] != nil { places.append(own.path(of: .onLongPress)) }
    let moment = Moment.longPress.rawValue
    if let item = options[.feedback], case .table(let effects) = item.node, let effect = effects[moment],
      !effect.isNoEffect
    {
      places.append(item.path[moment])
    }
    for place in places {
      report(
        "never happens: the control has no push with long = \"reset\", \"toggle\" or \"page-mode\"",
        at: place, .key,
        severity: .warning)
    }
  }
}

extension DocumentNode {
  fileprivate var isNoEffect: Bool {
    isText(FeedbackEffect.none.rawValue)
  }
}
