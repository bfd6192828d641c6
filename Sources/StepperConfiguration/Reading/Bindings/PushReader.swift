import StepperCore
import StepperText

/// Reads `push = "knob:BTN_0"` and its table.
struct PushReader {
  let settings: ControlSettings
  let inputs: InputReader
  /// The number of presses in a row that are distinguished regardless of the actions, because hooks need them.
  let mostPresses: Int

  /// The actions without a value.
  private enum Word: String, CaseIterable {
    case none, reset, increment, decrement
    case toMinimum = "to-minimum"
    case toMaximum = "to-maximum"
    case next, previous, toggle
    case pageMode = "page-mode"
  }

  func push(_ value: ConfigurationValue) -> [InputReader.Found] {
    var actions = PushActions(of: settings.kind)
    actions.multiPressInterval = settings.feel.multiPress
    actions.mostPresses = mostPresses
    guard let keys = value.node.table,
      keys.entries.contains(where: { PushKey(word: $0.key).map { !PushKey.ofBinding.contains($0) } ?? true }),
      let table = value.section(of: PushKey.self)
    else { return inputs.inputs(value, .button, .push(actions)) }
    guard let input = table[.input] else {
      value.report("needs input = \"DEVICE:CODE\"")
      return []
    }
    if settings.kind == .button {
      readButton(table, into: &actions)
    } else {
      actions.press = .none
      read(table, into: &actions)
    }
    return inputs.inputs(input, .button, .push(actions)).map { found in
      var binding = found.binding
      binding.modifier = table[.whilePressed].flatMap { inputs.modifier($0, of: binding.input) }
      return InputReader.Found(binding: binding, value: found.value, when: table[.when] ?? found.when)
    }
  }

  private func read(_ table: Section<PushKey>, into actions: inout PushActions) {
    let places = PushKey.actions.compactMap { table[$0] }
    let values = toggleValues(table, isNeeded: places.contains { $0.node.isText(Word.toggle.rawValue) })
    func action(of key: PushKey) -> PushActions.Action {
      table[key].flatMap { self.action($0, values) } ?? .none
    }
    (actions.short, actions.long) = (action(of: .short), action(of: .long))
    (actions.double, actions.triple) = (action(of: .double), action(of: .triple))
    if actions.double != .none { actions.mostPresses = max(actions.mostPresses, 2) }
    if actions.triple != .none { actions.mostPresses = 3 }
    table.read(into: &actions)
    if !actions.distinguishesLongPress {
      table[.delay]?.report("has no effect without an action for long", .key, severity: .warning)
    }
    if actions.mostPresses == 1 {
      table[.multiPress]?.report(
        "has no effect without double or triple, or on-double-press or on-triple-press", .key)
    }
  }

  // MARK: Actions

  /// `"next"`, or `{ set = VALUE }`.
  private func action(_ value: ConfigurationValue, _ values: (FixedPoint, FixedPoint)?)
    -> PushActions.Action?
  {
    if case .table = value.node {
      guard let table = value.section(of: PushActionKey.self) else { return nil }
      guard let number = table[.set] else { return value.refuse("needs set = VALUE") }
      return number.value(of: settings).map { .set($0) }
    }
    guard let word = value.word(of: Word.self, or: " or { set = VALUE }") else { return nil }
    switch word {
    case .none: return PushActions.Action.none
    case .reset: return .reset
    case .increment: return .step(.increment, .step)
    case .decrement: return .step(.decrement, .step)
    case .toMinimum, .toMaximum: return toLimit(word == .toMinimum ? .decrement : .increment, value)
    case .next, .previous: return cycle(word == .next ? .increment : .decrement, value)
    case .pageMode: return .pageMode
    case .toggle: return values.map { .toggle($0.0, $0.1) }
    }
  }

  private func toLimit(_ direction: Direction, _ value: ConfigurationValue) -> PushActions.Action? {
    let end = direction == .increment ? settings.maximumValue : settings.minimumValue
    guard settings.kind != .continuous || end != nil else {
      return value.refuse("there is no such end of the range to go to")
    }
    return .step(direction, .limit)
  }

  private func cycle(_ direction: Direction, _ value: ConfigurationValue) -> PushActions.Action? {
    guard settings.kind == .choice else {
      let other = settings.kind == .toggle ? "toggle" : direction == .increment ? "increment" : "decrement"
      return value.refuse("goes through the names of a choice; this control has \(quoted(other))")
    }
    return .cycle(direction)
  }

  /// Reads the table of a button. Its presses have no actions; each of the keys `delay` and `multi-press` only makes
  /// the kind of press that it times be published.
  private func readButton(_ table: Section<PushKey>, into actions: inout PushActions) {
    for key in PushKey.actions + [.toggle] {
      table[key]?.report(
        "a button only follows its input; delay and multi-press distinguish its presses", .key)
    }
    table.read(into: &actions)
    if table[.delay] != nil { actions.tellsLongPress = true }
    if table[.multiPress] != nil { actions.mostPresses = max(actions.mostPresses, 2) }
  }

  private func toggleValues(_ table: Section<PushKey>, isNeeded: Bool) -> (FixedPoint, FixedPoint)? {
    guard let value = table[.toggle] else {
      if settings.kind == .toggle { return (0, 1) }
      if isNeeded { table.report("needs toggle = [FIRST, SECOND], the two values") }
      return nil
    }
    if !isNeeded {
      value.report("has no effect without short = \"toggle\" or another action \"toggle\"", .key)
    }
    guard case .array(let array) = value.node, array.elements.count == 2 else {
      return value.refuse("must be two numbers [FIRST, SECOND], found \(value.node.found)")
    }
    let numbers = value.elements(of: array).compactMap { element in
      element.decimal().map { number in
        if let fault = toggleFault(of: number) { element.report(fault, severity: .warning) }
        return number
      }
    }
    return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
  }

  /// Why the control never has this value; nil: it can have it. Of a choice or a toggle a value is the place of a name.
  private func toggleFault(of number: FixedPoint) -> String? {
    guard settings.kind != .continuous else {
      return settings.feel.bounds == .enforced ? settings.fault(of: number) : nil
    }
    let last = Int64(settings.words.count) - 1
    let isPlace = number.digits == 0 && (0...max(last, 0)).contains(number.units)
    return isPlace || last < 0 ? nil : "\(number) is outside the range 0…\(last)"
  }
}

extension ConfigurationValue {
  /// A value that the control can have: a number in its range, or one of its names.
  func value(of settings: ControlSettings) -> FixedPoint? {
    if settings.kind == .continuous {
      guard let number = decimal() else { return nil }
      guard let fault = settings.fault(of: number), settings.feel.bounds == .enforced else { return number }
      return refuse(fault)
    }
    let names = settings.words
    // A choice without names is reported elsewhere.
    guard !names.isEmpty else { return nil }
    if case .boolean(let isOn) = node, settings.kind == .toggle { return isOn ? 1 : 0 }
    guard let index = names.firstIndex(where: node.isText) else {
      return refuse("must be one of \(list(names.lazy.map(quoted))), found \(node.found)") {
        node.text.flatMap { suggestion(for: $0, among: names) }
      }
    }
    return FixedPoint(units: Int64(index), digits: 0)
  }
}

extension ControlSettings {
  /// Why `number` is outside the range, for messages; nil if it is inside.
  func fault(of number: FixedPoint) -> String? {
    guard nearest(to: number) != number else { return nil }
    let (lowest, highest) = (minimumValue?.description ?? "none", maximumValue?.description ?? "none")
    return "\(number) is outside the range \(lowest)…\(highest)"
  }
}
