import StepperConfiguration
import StepperCore
import StepperInterfaces
import StepperLinux
import StepperText

/// Devices as messages of `org.stepperd.device`.
extension Devices {
  /// All devices: used ones first, each group in the order in which its devices were added.
  var descriptions: [DeviceInterface.Device] { descriptions { _ in true } }

  /// The descriptions of the wanted devices. If they do not all fit into a reply, the last ones lack lights and capabilities.
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
    let inputs: [(usage: EvdevUsage, name: String)] =
      entry.isVirtual
      ? VirtualInput.allCases.map { ($0.usage, $0.rawValue) }
      : (entry.identity?.usages ?? []).sorted().map { ($0, $0.name) }
    return inputs.map { usage, name in
      let travel = usage.isAbsolute ? entry.axis(usage)?.travel : nil
      return DeviceInterface.Capability(
        name: name, role: usage.isKey ? .button : usage.isRelative ? .encoder : .axis,
        controls: driven[usage] ?? [], eventType: usage.typeName, eventCode: usage.name,
        minimum: travel.map { Int64($0.lowerBound) }, maximum: travel.map { Int64($0.upperBound) })
    }
  }

  /// The names of the controls that the inputs of a device act on.
  private func controlsDriven(by entry: DeviceEntry) -> [EvdevUsage: [String]] {
    guard let name = entry.table else { return [:] }
    var driven: [EvdevUsage: [String]] = [:]
    for settings in world.configurations.map(\.settings) {
      let usages = settings.bindings.filter { $0.input.device == name }.map(\.input.usage)
      for usage in Set(usages) { driven[usage, default: []].append(settings.name) }
    }
    return driven
  }

  static var virtualName: String { "Virtual front panel" }
}

/// Watched devices as messages of `org.stepperd.device`.
extension Devices {
  /// `isWatched`: the client gets the frames of the device. Otherwise the device is of general purpose, and the client
  /// has not asked for such devices.
  func monitored(_ entry: DeviceEntry, isWatched: Bool) -> DeviceInterface.MonitoredDevice {
    let identity = entry.identity ?? DeviceIdentity(node: "")
    let usages = (entry.provided?.usages ?? identity.usages).sorted()
    return DeviceInterface.MonitoredDevice(
      device: entry.name, name: entry.isVirtual ? Self.virtualName : identity.name, bus: Int64(identity.bus),
      vendor: identity.vendor.hexadecimal, product: identity.product.hexadecimal,
      physicalPath: identity.physicalPath, uniqueName: identity.uniqueName, node: identity.node,
      provider: identity.provider, links: identity.links.fitting(4 << 10) { $0.utf8.count },
      properties: Dictionary(
        identity.properties.sorted { $0.key < $1.key }.fitting(32 << 10) { $0.utf8.count + $1.utf8.count },
        uniquingKeysWith: { first, _ in first }),
      generalPurpose: identity.isGeneralPurpose, codes: usages.map(\.codeName),
      axes: usages.compactMap { axis($0, of: entry) },
      detents: entry.provided.flatMap(\.detents),
      keysDown: isWatched
        ? (entry.provided?.keysDown ?? entry.device?.keysDown ?? []).sorted().map(\.codeName) : [],
      problem: isWatched ? entry.readingProblem?.onOneLine() : Self.needsKeyboards)
  }

  private static var needsKeyboards: String {
    "it is a keyboard, a mouse or another device of general purpose, which is watched only on request"
  }

  private func axis(_ usage: EvdevUsage, of entry: DeviceEntry) -> DeviceInterface.AbsoluteAxis? {
    guard usage.isAbsolute else { return nil }
    return entry.axis(usage).map { axis in
      DeviceInterface.AbsoluteAxis(
        code: usage.codeName, minimum: Int64(axis.minimum), maximum: Int64(axis.maximum),
        fuzz: Int64(axis.fuzz), flat: Int64(axis.flat), resolution: Int64(axis.resolution),
        value: Int64(axis.value))
    }
  }
}

extension DeviceEntry {
  /// Why the device delivers no frames; nil: it does.
  fileprivate var readingProblem: String? {
    configuration == nil ? watchProblem : isRead ? nil : problem ?? "it does not answer"
  }
}

extension Sequence {
  /// As many of the first elements as fit into `most` bytes.
  fileprivate func fitting(_ most: Int, size: (Element) -> Int) -> [Element] {
    var room = ReplyRoom(most)
    return Array(prefix { room.take(size($0)) })
  }
}

extension ProvidedDevice {
  /// The counts per detent of relative axes; nil: every count is a detent.
  fileprivate var detents: [DeviceInterface.Detent]? {
    guard !countsPerDetent.isEmpty else { return nil }
    return countsPerDetent.sorted { $0.key < $1.key }.map { code, counts in
      DeviceInterface.Detent(code: EvdevUsage.relative(code).codeName, counts: Int64(counts))
    }
  }
}
