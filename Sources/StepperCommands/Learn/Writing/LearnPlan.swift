internal import ArgumentParser
internal import StepperConfiguration
internal import StepperCore
internal import StepperLinux
internal import StepperText

/// The changes of the configuration that give a control the learned inputs.
struct LearnPlan {
  let control: String
  /// Nil for an existing control.
  let range: NewRange?
  let inputs: LearnedInputs
  private let configuration: Configuration
  private let watched: [String: RecordedDevice]
  private let tables: [String: Table]

  struct NewRange {
    var minimum: FixedPoint = 0
    var maximum: FixedPoint = 100
    var step: FixedPoint = 1
  }

  private struct Table {
    var name: String
    /// Nil for a new table.
    var settings: DeviceSettings?
    /// Nil for an existing table.
    var match: DeviceMatch?
    /// The existing table that also matches the device; the new one is written before it.
    var successor: String?
  }

  /// `reserved` are the device names that are already taken.
  init(
    control: String, range: NewRange?, inputs: LearnedInputs, configuration: Configuration?,
    reserved: Set<String>, watched: [String: RecordedDevice], every: [RecordedDevice]
  ) throws(CommandFailure) {
    (self.control, self.range, self.inputs, self.watched) = (control, range, inputs, watched)
    self.configuration = configuration ?? Configuration()
    var tables: [String: Table] = [:]
    var names = reserved.union(self.configuration.devices.map(\.settings.name))
    for (name, role) in inputs.devices {
      guard let device = watched[name] else {
        throw CommandFailure("\(name) was unplugged")
      }
      let usages = Set(inputs.bindings.filter { $0.input.device == name }.map(\.input.usage))
      let table = try Self.table(for: device, role, usages, self.configuration, every, &names)
      tables[name] = table
    }
    self.tables = tables
  }

  private static func table(
    for device: RecordedDevice, _ role: String, _ usages: Set<EvdevUsage>, _ configuration: Configuration,
    _ every: [RecordedDevice], _ names: inout Set<String>
  ) throws(CommandFailure) -> Table {
    func owner(of device: RecordedDevice) -> DeviceConfiguration? {
      configuration.devices.first { $0.matches(device) }
    }
    let owner = owner(of: device)
    let isShared = every.contains { other in
      other.identity.place != device.identity.place
        && configuration.devices.first { $0.matches(other) }?.settings.name == owner?.settings.name
    }
    if let owner, !isShared { return Table(name: owner.settings.name, settings: owner.settings) }
    guard let match = MatchProposal.match(for: device, with: usages, among: every) else {
      throw CommandFailure(
        "nothing distinguishes \"\(device.identity.name)\" (\(device.identity.provider ?? device.identity.node)) from another device:"
          + " neither a serial number nor the socket that it is plugged into")
    }
    let name = ([""] + (2...99).map(String.init)).map { role + $0 }.first { !names.contains($0) } ?? role
    names.insert(name)
    return Table(name: name, match: match, successor: owner?.settings.name)
  }

  /// The reason why a new control cannot have `range`; nil if it can.
  static func problem(of range: NewRange) throws(CommandFailure) -> String? {
    let plan = try LearnPlan(
      control: "new", range: range, inputs: LearnedInputs(), configuration: nil, reserved: [], watched: [:],
      every: [])
    do throws(EditRefusal) {
      var editor = try DocumentEditor([])
      try plan.addControl(&editor)
      let problems = ConfigurationArgument.check(editor.bytes, file: "").problems
      return problems.first { $0.severity == .error }?.message
    } catch {
      return error.message
    }
  }

  // MARK: Inputs

  /// `knob:REL_DIAL`.
  private func text(of input: WatchedInput) -> String {
    "\(tables[input.device]?.name ?? input.device):\(input.usage.name)"
  }

  private func path(of key: String) -> ValuePath { ValuePath.root["control"][control][key] }

  /// The inputs of real devices that a key already has, without the new input.
  func formerInputs(in editor: DocumentEditor) -> [(key: String, inputs: [String])] {
    let virtual = Set(configuration.devices.filter { $0.source == .virtual }.map(\.settings.name))
    return inputs.bindings.compactMap { key, input in
      let former = editor.inputs(at: path(of: key)).filter { former in
        former != text(of: input) && !virtual.contains(String(former.prefix { $0 != ":" }))
      }
      return former.isEmpty ? nil : (key, former)
    }
  }

  // MARK: Editing

  /// Makes the changes. `replaced` has, by key, the former inputs that the new ones replace.
  func apply(to editor: inout DocumentEditor, replacing replaced: [String: [String]]) throws(CommandFailure) {
    do throws(EditRefusal) {
      for (name, _) in inputs.devices {
        guard let table = tables[name] else { continue }
        try addTable(table, &editor)
        try set(table, of: name, &editor)
      }
      if !editor.has(ValuePath.root["control"][control]) { try addControl(&editor) }
      for (key, input) in inputs.bindings {
        try bind(key, text(of: input), replacing: replaced[key] ?? [], &editor)
      }
      if inputs.fader?.isLogarithmic == true { try editor.set(path(of: "curve"), to: .string("logarithmic")) }
    } catch {
      throw CommandFailure(error.message, code: .configuration)
    }
  }

  private func addTable(_ table: Table, _ editor: inout DocumentEditor) throws(EditRefusal) {
    guard let match = table.match else { return }
    try editor.addTable(
      ValuePath.root["device"][table.name], [.init("match", match.literal)],
      before: table.successor.map { ValuePath.root["device"][$0] })
  }

  private func addControl(_ editor: inout DocumentEditor) throws(EditRefusal) {
    let range = range ?? NewRange()
    var entries: [ValueLiteral.Entry] = [
      .init("minimum", .decimal(range.minimum)), .init("maximum", .decimal(range.maximum)),
    ]
    if range.step != 1 { entries.append(.init("step", .decimal(range.step))) }
    try editor.addTable(ValuePath.root["control"][control], entries)
  }

  /// Sets the direction, counts and calibration that differ from those in the table.
  private func set(_ table: Table, of device: String, _ editor: inout DocumentEditor) throws(EditRefusal) {
    let path = ValuePath.root["device"][table.name]
    let former = table.settings ?? DeviceSettings(name: table.name)
    var isInverted = former.isInverted
    if let turn = inputs.turn, turn.input.device == device {
      isInverted = turn.isInverted
      if isInverted != former.isInverted { try editor.set(path["invert"], to: .boolean(isInverted)) }
      if turn.countsPerDetent != former.countsPerDetent {
        try editor.set(path["counts-per-detent"], to: .integer(Int64(turn.countsPerDetent)))
      }
    }
    guard let fader = inputs.fader, fader.finding.input.device == device else { return }
    let axis = former.axes[fader.finding.input.usage.code] ?? AxisSettings()
    var entries: [ValueLiteral.Entry] = []
    if let travel = fader.finding.travel {
      entries.append(.init("minimum", .integer(Int64(travel.lowerBound))))
      entries.append(.init("maximum", .integer(Int64(travel.upperBound))))
    }
    let axisInverts = fader.isInverted != isInverted
    if axisInverts != axis.isInverted { entries.append(.init("invert", .boolean(axisInverts))) }
    if fader.finding.hysteresis != axis.hysteresis {
      entries.append(.init("hysteresis", .integer(Int64(fader.finding.hysteresis))))
    }
    if let zone = fader.deadZone { entries.append(.init("dead-zone", .integer(Int64(zone)))) }
    guard !entries.isEmpty else { return }
    try editor.merge(entries, into: path["axis"][fader.finding.input.usage.name])
  }

  private func bind(
    _ key: String, _ input: String, replacing replaced: [String], _ editor: inout DocumentEditor
  ) throws(EditRefusal) {
    let path = path(of: key)
    if key == "push", !editor.has(path), inputs.pushAction != .none {
      return try editor.set(
        path,
        to: .table([.init("input", .string(input)), .init("short", .string(inputs.pushAction.rawValue))]))
    }
    if key == "push", editor.has(path["input"]) {
      return try editor.bind(input, to: path["input"], replacing: Set(replaced))
    }
    try editor.bind(input, to: path, replacing: Set(replaced))
  }

  /// A warning if the changed table is also used by other controls.
  var warning: String? {
    guard let turn = inputs.turn, let table = tables[turn.input.device], let former = table.settings,
      former.isInverted != turn.isInverted || former.countsPerDetent != turn.countsPerDetent
    else { return nil }
    let others = configuration.controls.filter { other in
      other.settings.bindings.contains {
        $0.input.device == table.name
          && ($0.input.usage != turn.input.usage || other.settings.name != control)
          && !$0.input.usage.isKey
      }
    }
    guard !others.isEmpty else { return nil }
    let names = others.map(\.settings.name).joined(separator: ", ")
    return "[device.\(table.name)] is also used by \(names), whose direction or detents change too."
  }
}

extension DeviceMatch {
  /// The match as the configuration writes it.
  fileprivate var literal: ValueLiteral {
    var entries: [ValueLiteral.Entry] = []
    if let provider { entries.append(.init("provider", .string(provider))) }
    if let path { entries.append(.init("path", .string(path))) }
    if let vendor { entries.append(.init("vendor", .string(vendor.hexadecimal))) }
    if let product { entries.append(.init("product", .string(product.hexadecimal))) }
    if let uniqueName { entries.append(.init("uniq", .string(uniqueName))) }
    if let name { entries.append(.init("name", .string(name))) }
    if let physicalPath { entries.append(.init("phys", .string(physicalPath))) }
    if !usages.isEmpty { entries.append(.init("has", .array(usages.sorted().map { .string($0.name) }))) }
    return .table(entries)
  }
}
