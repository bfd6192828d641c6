import StepperConfiguration
import StepperCore
import StepperInterfaces
import StepperLinux
import StepperText

/// Devices as messages of the wire.
extension Devices {
  /// Used devices first; each group in the order in which its devices were added.
  var descriptions: [DeviceInterface.Device] { descriptions { _ in true } }

  /// The descriptions of some devices; the lights and capabilities of the last ones are omitted if all do not fit into a reply.
  func descriptions(where isWanted: (DeviceEntry) -> Bool) -> [DeviceInterface.Device] {
    let wanted = entries.filter(isWanted)
    let used = wanted.filter { $0.configuration != nil }
    let unused = wanted.filter { $0.configuration == nil }
    return (used + unused).map(description).fitted
  }

  private func description(of entry: DeviceEntry) -> DeviceInterface.Device {
    let identity = entry.identity
    let owner = entry.provided?.owner
    let hasNumbers = identity.map { $0.provider == nil || $0.vendor != 0 || $0.product != 0 } ?? false
    return DeviceInterface.Device(
      device: entry.name,
      name: identity?.name ?? entry.className ?? (entry.isVirtual ? Self.virtualName : ""),
      vendor: hasNumbers ? identity.map { $0.vendor.hexadecimal } : nil,
      product: hasNumbers ? identity.map { $0.product.hexadecimal } : nil,
      physicalPath: identity?.physicalPath, uniqueName: identity?.uniqueName,
      node: entry.nodeIdentity?.node, virtual: entry.isVirtual, provider: identity?.provider,
      providerProcess: owner.map { Int64($0.peer.processID) },
      providerUser: owner.map { Int64($0.peer.userID) },
      attachedMicroseconds: owner.map { $0.since.nanoseconds / 1_000 }, state: entry.state,
      problem: problem(of: entry)?.onOneLine(),
      capabilities: capabilities(of: entry), outputs: entry.outputs?.kinds.map(\.rawValue) ?? [],
      lights: entry.outputs?.lights ?? [], events: entry.events, overruns: entry.overruns,
      connects: entry.connects)
  }

  private func capabilities(of entry: DeviceEntry) -> [DeviceInterface.Capability] {
    let driven = controlsDriven(by: entry)
    guard !entry.isVirtual else {
      return VirtualInput.allCases.map { input in
        capability(
          input.usage, named: input.rawValue, driving: driven[input.usage],
          in: entry.axis(input.usage)?.travel)
      }
    }
    let usages = entry.identity?.usages ?? []
    return usages.sorted { ($0.type, $0.code) < ($1.type, $1.code) }.map { usage in
      capability(usage, named: usage.name, driving: driven[usage], in: entry.axis(usage)?.travel)
    }
  }

  private func capability(
    _ usage: EvdevUsage, named name: String, driving controls: [String]?, in travel: ClosedRange<Int32>?
  ) -> DeviceInterface.Capability {
    let travel = usage.isAbsolute ? travel : nil
    return DeviceInterface.Capability(
      name: name, role: usage.isKey ? .button : usage.isRelative ? .encoder : .axis,
      controls: controls ?? [], eventType: usage.typeName, eventCode: usage.name,
      minimum: travel.map { Int64($0.lowerBound) }, maximum: travel.map { Int64($0.upperBound) })
  }

  /// The names of the controls that the inputs of a device act on.
  private func controlsDriven(by entry: DeviceEntry) -> [EvdevUsage: [String]] {
    guard let name = entry.configuration?.settings.name else { return [:] }
    var driven: [EvdevUsage: [String]] = [:]
    for settings in world.configurations.map(\.settings) {
      let usages = settings.bindings.filter { $0.input.device == name }.map(\.input.usage)
      for usage in Set(usages) { driven[usage, default: []].append(settings.name) }
    }
    return driven
  }

  static var virtualName: String { "Virtual front panel" }
}
