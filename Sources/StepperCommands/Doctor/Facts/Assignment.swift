internal import StepperConfiguration
internal import StepperCore
internal import StepperLinux

/// Which table of the configuration takes which device, as the daemon decides it: the first one that matches.
struct Assignment {
  let tables: [(name: String, configuration: DeviceConfiguration, matches: [DeviceMatch])]
  private let taken: [String: [InputFacts]]
  let unused: [InputFacts]

  init(_ facts: Facts) {
    let tables = (facts.configuration.configuration?.devices ?? []).compactMap { device in
      if case .matching(let matches) = device.source {
        (name: device.settings.name, configuration: device, matches: matches)
      } else {
        nil as (name: String, configuration: DeviceConfiguration, matches: [DeviceMatch])?
      }
    }
    var taken: [String: [InputFacts]] = [:]
    var unused: [InputFacts] = []
    for input in facts.inputs {
      if let table = tables.first(where: { $0.matches.contains { $0.matches(input.identity) } }) {
        taken[table.name, default: []].append(input)
      } else {
        unused.append(input)
      }
    }
    (self.tables, self.taken, self.unused) = (tables, taken, unused)
  }

  func inputs(of table: String) -> [InputFacts] { taken[table] ?? [] }

  /// Those that any table takes, with the name of the table.
  var used: [(table: String, input: InputFacts)] {
    tables.flatMap { table in inputs(of: table.name).map { (table.name, $0) } }
  }

  /// The table that takes devices which `name` would match.
  func owner(ofDevicesFor name: String) -> String? {
    guard let matches = tables.first(where: { $0.name == name })?.matches else { return nil }
    return used.first { pair in matches.contains { $0.matches(pair.input.identity) } }?.table
  }
}

extension InputFacts {
  /// Whether it may be a stepper: a person's device that is neither a keyboard, a mouse nor the like, and reports a key or an
  /// axis.
  var mayBeStepper: Bool {
    let name = identity.name.lowercased()
    let isBoards = [
      "power button", "sleep button", "lid switch", "video bus", "pc speaker", "hdmi", "jack", "gpio_ir_recv",
      "cec", "headset",
    ]
    .contains { name.firstRange(of: $0) != nil }
    return !identity.isGeneralPurpose && !identity.usages.isEmpty && !isBoards
  }

  /// Whether it has an input, a wheel also by its high-resolution axis.
  func has(_ usage: EvdevUsage) -> Bool {
    DeviceCapabilities(settingsName: "", usages: identity.usages).has(usage)
  }

  /// `REL_DIAL, BTN_0`: the first few names of its inputs.
  var inputNames: [String] {
    identity.usages.sorted { ($0.type == 1 ? 9 : $0.type, $0.code) < ($1.type == 1 ? 9 : $1.type, $1.code) }
      .map(\.name)
  }

  /// `Griffin PowerMate (/dev/input/event5)`.
  var title: String { "\(identity.name) (\(identity.node))" }
}
