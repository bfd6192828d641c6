import StepperCore

/// Reads `push = "knob:BTN_0"` and its table.
struct PushReader {
  let kind: ControlKind
  let inputs: InputReader

  private enum Word: String, CaseIterable {
    case none, reset, toggle
    case pageMode = "page-mode"
  }

  func push(_ value: ConfigurationValue) -> [InputReader.Found] {
    var actions = PushActions()
    switch kind {
    case .toggle: actions.press = .toggle(0, 1)
    case .button: (actions.press, actions.release) = (.set(1), .set(0))
    case .continuous, .choice: break
    }
    guard case .table(let keys) = value.node,
      keys.entries.contains(where: { PushKey(word: $0.key) != .input }),
      let table = value.section(of: PushKey.self)
    else { return inputs.inputs(value, .button, .push(actions)) }
    if kind == .button { value.report("a button does nothing but follow its input") }
    guard let input = table[.input] else {
      value.report("needs input = \"DEVICE:CODE\"")
      return []
    }
    let words = [PushKey.short, .long].map { table[$0]?.word(of: Word.self) ?? .none }
    let values = toggleValues(table, isNeeded: words.contains(.toggle))
    actions = PushActions(short: action(words[0], values), long: action(words[1], values))
    let range = Duration.milliseconds(50) ... .seconds(60)
    actions.longPressDelay = table[.delay]?.duration(in: range) ?? actions.longPressDelay
    return inputs.inputs(input, .button, .push(actions)).map { binding, value in
      var binding = binding
      binding.modifier = table[.whilePressed].flatMap { inputs.modifier($0, of: binding.input) }
      return (binding, value)
    }
  }

  private func action(_ word: Word, _ values: (FixedPoint, FixedPoint)?) -> PushActions.Action {
    switch word {
    case .none: .none
    case .reset: .reset
    case .pageMode: .pageMode
    case .toggle: values.map { .toggle($0.0, $0.1) } ?? .none
    }
  }

  private func toggleValues(_ table: Section<PushKey>, isNeeded: Bool) -> (FixedPoint, FixedPoint)? {
    guard let value = table[.toggle] else {
      if kind == .toggle { return (0, 1) }
      if isNeeded { table.report("needs toggle = [FIRST, SECOND], the two values") }
      return nil
    }
    if !isNeeded { value.report("is of no use without short = \"toggle\" or long = \"toggle\"", .key) }
    guard case .array(let array) = value.node, array.elements.count == 2 else {
      return value.refuse("must be two numbers [FIRST, SECOND], found \(value.node.found)")
    }
    let numbers = value.elements(of: array).compactMap { $0.decimal() }
    return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
  }
}

extension [Binding] {
  /// Warns of what only a long press does, where no press can be a long one.
  func warnOfLongPress(_ own: Section<ControlKey>, _ options: Section<OptionKey>) {
    let canBeLong = contains { binding in
      if case .push(let actions) = binding.action { actions.long != .none } else { false }
    }
    guard !canBeLong else { return }
    var values: [ConfigurationValue] = []
    if let hook = own[.onLongPress] { values.append(hook) }
    if let feedback = options[.feedback], case .table = feedback.node {
      values += feedback.entries().filter {
        $0.key.isExactly(Moment.longPress.rawValue) && !$0.value.node.isText(FeedbackEffect.none.rawValue)
      }.map(\.value)
    }
    for value in values {
      value.report(
        "never happens: the control has no push with long = \"reset\", \"toggle\" or \"page-mode\"", .key,
        severity: .warning)
    }
  }
}
