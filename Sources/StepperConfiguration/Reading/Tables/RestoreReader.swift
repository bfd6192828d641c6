import StepperCore

/// Reads `restore = true` and `restore = { at-most = 40 }`.
struct RestoreReader {
  /// The settings of the control.
  let settings: ControlSettings

  func restore(_ value: ConfigurationValue) -> (restores: Bool, bounds: RestoreBounds) {
    var bounds = RestoreBounds()
    guard case .table = value.node else {
      if case .boolean(let isOn) = value.node { return (isOn, bounds) }
      value.report("must be true, false or a table such as { at-most = 40 }, found \(value.node.found)")
      return (true, bounds)
    }
    guard let table = value.section(of: RestoreKey.self) else { return (true, bounds) }
    guard settings.kind == .continuous else {
      value.report("must be true or false: the values of a \(settings.kind.rawValue) have no order")
      return (true, bounds)
    }
    if table.isEmpty { value.report("needs at-most or at-least") }
    bounds.atLeast = table[.atLeast].flatMap(bound)
    bounds.atMost = table[.atMost].flatMap(bound)
    if let least = bounds.atLeast, let most = bounds.atMost, least > most {
      table.report("at-least \(least) is greater than at-most \(most)", atFirstOf: .atLeast, .atMost)
    } else if let initial = settings.initialValue, bounds.clamp(initial) != initial {
      table.report(
        "the first start gives the initial value \(initial), which is not among these; set initial too",
        atFirstOf: initial < bounds.clamp(initial) ? .atLeast : .atMost, .atMost)
    }
    return (true, bounds)
  }

  /// Reads a value that the control can have.
  private func bound(_ value: ConfigurationValue) -> FixedPoint? {
    guard let number = value.decimal() else { return nil }
    let nearest = settings.valueNearest(to: number)
    guard nearest != number else { return number }
    return value.refuse("\(number) is not a value of this control; the nearest one is \(nearest)")
  }
}
