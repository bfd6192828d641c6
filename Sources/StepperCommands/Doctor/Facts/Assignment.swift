internal import StepperConfiguration
internal import StepperCore
internal import StepperLinux
internal import StepperText

/// The assignment of devices to tables of the configuration. As in the daemon, each device belongs to the first table
/// that matches it.
struct Assignment {
  /// A `[device.NAME]` table that matches real devices.
  struct Table {
    let name: String
    fileprivate let matches: [DeviceMatch]
    /// Whether a control uses the table. Also true if the included file is unknown, because its controls may use the
    /// table.
    let isBound: Bool
    /// Whether only devices that programs attach can match it.
    var isOfPrograms: Bool { !matches.isEmpty && matches.allSatisfy { $0.provider != nil } }
    /// The programs whose devices match the table, by the names that they give themselves.
    var programs: String { matches.compactMap(\.provider).joined(separator: ", ") }
    /// The devices that belong to the table.
    fileprivate(set) var inputs: [InputFacts] = []
    /// The earlier table that takes devices which this table would match.
    fileprivate(set) var owner: String?
    /// The device that the table is probably meant to match, if it matches none.
    fileprivate(set) var near: InputFacts?

    var titles: String { inputs.map(\.title).joined(separator: ", ") }

    var exampleBinding: String {
      let names = inputs.first?.inputNames ?? []
      return names.first { $0.hasPrefix("REL_") }.map { "rotate = \"\(name):\($0)\"" }
        ?? names.first { $0.hasPrefix("ABS_") }.map { "absolute = \"\(name):\($0)\"" }
        ?? "increment = \"\(name):\(names.first ?? "CODE")\""
    }
  }

  private(set) var tables: [Table]
  private let controls: [ControlSettings]

  init(_ facts: Facts) {
    let configuration = facts.configuration.configuration
    let controls = (configuration?.controls ?? []).map(\.settings)
    self.controls = controls
    let bound = Set(controls.flatMap { $0.bindings.map(\.input.device) })
    let isPartial = facts.configuration.isPartial
    tables = (configuration?.devices ?? []).compactMap { device in
      guard case .matching(let matches) = device.source else { return nil }
      let name = device.settings.name
      return Table(name: name, matches: matches, isBound: isPartial || bound.contains(name))
    }
    var unused: [InputFacts] = []
    for input in facts.inputs {
      if let index = tables.firstIndex(where: { $0.matches.contains { $0.matches(input.identity) } }) {
        tables[index].inputs.append(input)
      } else {
        unused.append(input)
      }
    }
    for index in tables.indices where tables[index].inputs.isEmpty {
      let matches = tables[index].matches
      tables[index].owner = used.first { use in matches.contains { $0.matches(use.input.identity) } }?.table
      tables[index].near = Self.nearest(to: matches, among: unused)
    }
  }

  /// A device that belongs to a table.
  struct Use {
    let table: String
    let input: InputFacts
    var subject: String { "device \(table)" }
  }

  var used: [Use] { tables.flatMap { table in table.inputs.map { Use(table: table.name, input: $0) } } }

  /// The sorted names of the inputs of real devices that controls use.
  var boundCodes: [String] {
    let taken = Set(used.map(\.table))
    return Set(
      controls.flatMap(\.bindings).filter { taken.contains($0.input.device) }.map(\.input.usage.name)
    ).sorted()
  }

  /// The device that is probably meant: one with a similar name, the same vendor, or the same name in another case;
  /// else the only device.
  private static func nearest(to matches: [DeviceMatch], among inputs: [InputFacts]) -> InputFacts? {
    let candidates = inputs.filter(\.mayBeStepper)
    for match in matches {
      if let pattern = match.name?.filter({ $0 != "*" }),
        let name = suggestion(for: pattern, among: candidates.map(\.identity.name))
      {
        return candidates.first { $0.identity.name == name }
      }
      let near = candidates.first { input in
        (match.vendor.map { $0 == input.identity.vendor } ?? false)
          || (match.name.map { $0.lowercased() == input.identity.name.lowercased() } ?? false)
      }
      if let near { return near }
    }
    return candidates.count == 1 ? candidates[0] : nil
  }
}

// MARK: - Bindings

extension Assignment {
  /// A code that no device of the table has, with the first control that needs it.
  struct MissingBinding {
    var table: String
    var control: String
    var code: String
    /// The names of the first few inputs of the devices.
    var present: String
    /// The code that is probably meant.
    var meant: String?
  }

  var missingBindings: [MissingBinding] {
    tables.filter { !$0.inputs.isEmpty }.flatMap { table in
      missing(table).map { describe($0.usage, of: table, control: $0.control) }
    }
  }

  /// The usages that the table's devices lack. Several bindings with the same action are alternatives, so one of them
  /// is enough.
  private func missing(_ table: Table) -> [(control: String, usage: EvdevUsage)] {
    func isPresent(_ usage: EvdevUsage) -> Bool { table.inputs.contains { $0.has(usage) } }
    var missing: [(control: String, usage: EvdevUsage)] = []
    for control in controls {
      let bindings = control.bindings.filter { $0.input.device == table.name }
      for binding in bindings {
        let alternatives = bindings.filter { $0.action == binding.action }
        if alternatives.count > 1, alternatives.contains(where: { isPresent($0.input.usage) }) { continue }
        for usage in Self.usages(binding)
        where !isPresent(usage) && !missing.contains(where: { $0.usage == usage }) {
          missing.append((control.name, usage))
        }
      }
    }
    return missing
  }

  /// The inputs of its device that a binding needs.
  private static func usages(_ binding: Binding) -> [EvdevUsage] {
    [binding.input.usage] + [binding.modifier].compactMap(\.self)
  }

  private func describe(_ usage: EvdevUsage, of table: Table, control: String) -> MissingBinding {
    let bound = Set(
      controls.flatMap(\.bindings).filter { $0.input.device == table.name }.flatMap(Self.usages))
    let names = table.inputs.flatMap(\.inputNames)
    // The meant code is a free one of the same type; of several, the one with the most similar name.
    let free = Set(table.inputs.flatMap(\.identity.usages))
      .filter { $0.type == usage.type && !bound.contains($0) }
      .sorted { $0.code < $1.code }.map(\.name)
    return MissingBinding(
      table: table.name, control: control, code: usage.name,
      present: names.prefix(8).joined(separator: ", ") + (names.count > 8 ? ", …" : ""),
      meant: free.count == 1 ? free[0] : suggestion(for: usage.name, among: free))
  }
}
