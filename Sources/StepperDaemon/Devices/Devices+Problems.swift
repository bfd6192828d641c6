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

  /// What in the configuration does not fit the connected devices, by the name of the entry.
  func findMisfits() -> [String: String] {
    var misfits: [String: String] = [:]
    for configuration in world.configuration.devices {
      guard case .matching(let matches) = configuration.source else { continue }
      let own = entries.filter { $0.configuration?.settings.name == configuration.settings.name }
      guard let entry = own.first else { continue }
      let identities = own.compactMap(\.identity)
      misfits[entry.name] =
        identities.isEmpty
        ? taken(from: matches)
        : missingCodes(of: configuration.settings.name, identities)
          ?? missingLights(of: configuration.settings.name, own) ?? misfit(ofDetents: own)
    }
    return misfits
  }

  /// A device that would fit, but belongs to a table that stands before.
  private func taken(from matches: [DeviceMatch]) -> String? {
    for entry in entries {
      guard let identity = entry.identity, let name = entry.configuration?.settings.name,
        matches.contains(where: { $0.matches(identity) })
      else { continue }
      let place = identity.provider.map { "of \($0)" } ?? identity.node
      return "\(identity.name) (\(place)) fits, but [device.\(name)], which stands before, has it"
    }
    return nil
  }

  /// Inputs that controls are bound to and none of the devices of a table has. One code of those that do the same is
  /// enough: they are alternatives.
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

  /// Lights that controls name and none of the devices of a table has, of which one is open at least.
  private func missingLights(of device: String, _ own: [DeviceEntry]) -> String? {
    let outputs = own.compactMap(\.outputs)
    guard !outputs.isEmpty else { return nil }
    let present = outputs.flatMap(\.lights)
    let named = world.configurations.flatMap(\.lights).filter { $0.device == device }.compactMap(\.output)
    let missing = Set(named).subtracting(present).sorted()
    guard !missing.isEmpty else { return nil }
    let names = present.isEmpty ? "no lights" : Self.list(Set(present).sorted())
    return "it has no light \(missing.joined(separator: " and no light ")); it has \(names)"
  }

  /// The most names of a list.
  private static let mostNames = 8

  /// The names of codes, those of the kinds that were expected first.
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
