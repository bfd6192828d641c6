internal import StepperConfiguration
internal import StepperCore
internal import StepperLinux

/// Other programs that read input devices: leftovers of former set-ups.
enum RivalCheck {
  static func judge(_ facts: Facts) -> [Finding] {
    let assignment = Assignment(facts)
    let read = Set(assignment.used.flatMap(\.input.openers).map(\.name))
    let bound = boundCodes(facts, assignment)
    return facts.rivals.map { rival in
      let title = rival.rival.title
      let stop = [facts.shell.asRoot("systemctl disable --now \(units(rival.rival, facts))")]
      if let code = bound.first(where: { rival.codes[$0] != nil }), let file = rival.codes[code] {
        return Finding(
          "rival.same-code", title, .wrong, "\(file) has a command for \(code), which a control uses",
          because: "One press has two effects.", remedies: stop)
      }
      // Which devices it reads is part of the check of shared devices.
      let isReader = !read.isDisjoint(with: rival.rival.processes)
      return Finding(
        "rival.present", title, isReader ? .wrong : .warning,
        rival.running.isEmpty ? "\(title) is started at boot" : "\(title) is running",
        because: isReader
          ? "It reads a device that stepperd uses." : "It may grab or read the same devices.", remedies: stop)
    }
  }

  /// Its units that are there, else all of them.
  static func units(_ rival: Rival, _ facts: Facts) -> String {
    let present = rival.units.filter { name in
      UnitFacts.directories.contains { facts.root.exists("\($0)/\(name)") }
    }
    return (present.isEmpty ? rival.units.prefix(1).map(\.self) : present).joined(separator: " ")
  }

  /// The names of the inputs of real devices that controls use, in order.
  private static func boundCodes(_ facts: Facts, _ assignment: Assignment) -> [String] {
    let tables = Set(assignment.used.map(\.table))
    let bindings = (facts.configuration.configuration?.controls ?? []).flatMap(\.settings.bindings)
    return Set(bindings.filter { tables.contains($0.input.device) }.map(\.input.usage.name)).sorted()
  }
}
