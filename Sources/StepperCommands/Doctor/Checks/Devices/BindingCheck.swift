internal import StepperConfiguration
internal import StepperCore
internal import StepperLinux
internal import StepperText

/// Bindings whose code the device does not have.
enum BindingCheck {
  static func judge(_ facts: Facts) -> [Finding] {
    let assignment = Assignment(facts)
    let controls = facts.configuration.configuration?.controls ?? []
    return assignment.tables.flatMap { table -> [Finding] in
      let inputs = assignment.inputs(of: table.name)
      guard !inputs.isEmpty else { return [] }
      return missing(table.name, controls, inputs).map { control, usage in
        finding(usage, table.name, control, inputs, bound: bound(controls, table.name), facts)
      }
    }
  }

  /// The codes that no device of the table has, each with the first control that needs it. One of several bindings with the same
  /// action is enough: they are alternatives.
  private static func missing(
    _ table: String, _ controls: [ControlConfiguration], _ inputs: [InputFacts]
  ) -> [(control: String, usage: EvdevUsage)] {
    func isPresent(_ usage: EvdevUsage) -> Bool { inputs.contains { $0.has(usage) } }
    var missing: [(control: String, usage: EvdevUsage)] = []
    for control in controls.map(\.settings) {
      let bindings = control.bindings.filter { $0.input.device == table }
      for binding in bindings {
        let alternatives = bindings.filter { $0.action == binding.action }
        if alternatives.count > 1, alternatives.contains(where: { isPresent($0.input.usage) }) { continue }
        for usage in usages(binding, of: table)
        where !isPresent(usage) && !missing.contains(where: { $0.usage == usage }) {
          missing.append((control.name, usage))
        }
      }
    }
    return missing
  }

  /// The inputs that a binding needs of a device.
  private static func usages(_ binding: Binding, of table: String) -> [EvdevUsage] {
    binding.input.device == table ? [binding.input.usage] + [binding.modifier].compactMap(\.self) : []
  }

  private static func bound(_ controls: [ControlConfiguration], _ table: String) -> Set<EvdevUsage> {
    Set(controls.flatMap { $0.settings.bindings.flatMap { usages($0, of: table) } })
  }

  private static func finding(
    _ usage: EvdevUsage, _ table: String, _ control: String, _ inputs: [InputFacts], bound: Set<EvdevUsage>,
    _ facts: Facts
  ) -> Finding {
    let available = Set(inputs.flatMap(\.identity.usages))
    let names = inputs.flatMap(\.inputNames)
    let shown = names.prefix(8).joined(separator: ", ") + (names.count > 8 ? ", …" : "")
    // The one that is free and of the same sort; of several the most similar name.
    let free = available.filter { $0.type == usage.type && !bound.contains($0) }
      .sorted { $0.code < $1.code }.map(\.name)
    let meant = free.count == 1 ? free[0] : suggestion(for: usage.name, among: free)
    return Finding(
      "binding.missing", "device \(table)", .wrong, "\(table) has no \(usage.name); it has \(shown)",
      because: "The binding of the control \(control) never has an effect.",
      remedies: remedies(usage.name, meant, table, facts))
  }

  private static func remedies(_ wrong: String, _ meant: String?, _ table: String, _ facts: Facts) -> [Remedy]
  {
    guard let path = facts.configuration.path else { return [] }
    let written = "\"\(table):\(wrong)\""
    guard let meant, facts.configuration.text.firstRange(of: written) != nil else {
      return [
        .command("stepperctl monitor \(table)"),
        .advice("move the part that is meant, and write its code into \(path) in place of \(wrong)"),
      ]
    }
    return [facts.editing("s/\(Sed.pattern(written))/\"\(table):\(meant)\"/")] + facts.applying
  }
}
