import StepperConfiguration
import StepperCore
import StepperLinux
import StepperText

/// What is wrong with devices: faults of the hardware and its permissions, and a configuration that does not fit them.
extension Devices {
  /// The problems of devices, each with the name of its device.
  var problems: [String] {
    entries.compactMap { entry in problem(of: entry).map { "\(entry.name): \($0)" } }
  }

  /// The problems of one device, as one text; nil: it has none.
  func problem(of entry: DeviceEntry) -> String? {
    let all = [entry.currentProblem, misfits[entry.name]].compactMap(\.self)
    return all.isEmpty ? nil : all.joined(separator: "; ")
  }

  /// How the configuration does not fit the connected devices, by the name of the entry.
  func findMisfits() -> [String: String] {
    var misfits: [String: String] = [:]
    for configuration in world.configuration.devices {
      guard case .matching(let matches) = configuration.source else { continue }
      let own = entries.filter { $0.table == configuration.settings.name }
      guard let entry = own.first else { continue }
      let identities = own.compactMap(\.identity)
      misfits[entry.name] =
        identities.isEmpty
        ? taken(from: matches)
        : missingCodes(of: configuration.settings.name, identities)
          ?? missingTravel(of: configuration.settings, own)
          ?? missingLights(of: configuration.settings.name, own) ?? misfit(ofDetents: own)
    }
    return misfits
  }

  /// Names a device that would fit, but belongs to an earlier table; nil: there is none.
  private func taken(from matches: [DeviceMatch]) -> String? {
    for entry in entries {
      guard let identity = entry.identity, let name = entry.table,
        matches.contains(where: { $0.matches(identity) })
      else { continue }
      let place = identity.provider.map { "of \($0)" } ?? identity.node
      return "\(identity.name) (\(place)) matches, but [device.\(name)] is before this table and uses it"
    }
    return nil
  }

  /// Reports inputs that controls are bound to but that no device of the table has; nil: there are none. Several codes
  /// with the same action are alternatives, so one of them is enough.
  private func missingCodes(of device: String, _ identities: [DeviceIdentity]) -> String? {
    let usages = identities.reduce(into: Set<EvdevUsage>()) { $0.formUnion($1.usages) }
    let present = DeviceCapabilities(settingsName: device, usages: usages)
    let missing = world.configurations.flatMap { control -> [EvdevUsage] in
      let bindings = control.settings.bindings.filter { $0.input.device == device }
      return Dictionary(grouping: bindings, by: \.action).values.flatMap { alternatives in
        let named = alternatives.flatMap { [$0.input.usage, $0.modifier].compactMap(\.self) }
        let isDriven = alternatives.contains { present.has($0.input.usage) }
        return isDriven && alternatives.count > 1 ? [] : named.filter { !present.has($0) }
      }
    }
    guard !missing.isEmpty else { return nil }
    let names = Set(missing).sorted().map(\.name)
    return "it has no \(names.joined(separator: " and no ")); it has \(Self.list(usages, like: missing))"
  }

  /// Reports a bound axis with only one position according to both the kernel and the configuration; nil: there is none.
  private func missingTravel(of settings: DeviceSettings, _ own: [DeviceEntry]) -> String? {
    let bound = world.configurations.flatMap(\.settings.bindings).map(\.input).filter {
      $0.device == settings.name && settings.axes[$0.usage.code]?.travel == nil
    }
    for device in own.compactMap(\.device) {
      for usage in bound.map(\.usage) {
        guard let travel = device.absoluteAxis(usage)?.travel, travel.lowerBound == travel.upperBound
        else { continue }
        return
          "its \(usage.name) has only the position \(travel.lowerBound); set its minimum and maximum under axis"
      }
    }
    return nil
  }

  /// Reports lights that controls name but that no device of the table has; nil: there are none, or none of these devices is open.
  private func missingLights(of device: String, _ own: [DeviceEntry]) -> String? {
    let outputs = own.compactMap(\.outputs)
    // Without the permission to write to a device, its lights cannot be used and are unknown here.
    guard !outputs.isEmpty, own.allSatisfy({ $0.device?.writeError == nil }) else { return nil }
    let present = outputs.flatMap(\.lights)
    let named = world.configurations.flatMap(\.lights).filter { $0.device == device }.compactMap(\.output)
    let missing = Set(named).subtracting(present).sorted()
    guard !missing.isEmpty else { return nil }
    let names = present.isEmpty ? "no lights" : Self.list(Set(present).sorted())
    return "it has no light \(missing.joined(separator: " and no light ")); it has \(names)"
  }

  /// Maximum number of names in a list.
  private static let mostNames = 8

  /// A list of the names of codes. Codes of the expected types come first.
  private static func list(_ usages: Set<EvdevUsage>, like expected: [EvdevUsage]) -> String {
    guard !usages.isEmpty else { return "no keys and no axes" }
    let types = Set(expected.map(\.type))
    let ordered = usages.sorted { left, right in
      (types.contains(left.type) ? 0 : 1, left) < (types.contains(right.type) ? 0 : 1, right)
    }
    return list(ordered.map(\.name))
  }

  private static func list(_ all: [String]) -> String {
    let names = all.prefix(mostNames)
    let rest = all.count - names.count
    guard rest == 0, names.count > 1, let last = names.last else {
      return names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
    return names.dropLast().joined(separator: ", ") + " and " + last
  }
}
