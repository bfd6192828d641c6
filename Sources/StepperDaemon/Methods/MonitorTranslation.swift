import StepperCore
import StepperInterfaces
import StepperLinux
import StepperText

/// Watched devices as messages of the wire.
extension Devices {
  /// `isWatched`: its frames are sent; if not, it is of general purpose, and the client has not asked for such devices.
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
  /// Why no frames of it come.
  fileprivate var readingProblem: String? {
    configuration == nil ? watchProblem : isRead ? nil : problem ?? "it does not answer"
  }
}

extension Sequence {
  /// As many of the first elements as take at most `most` bytes.
  fileprivate func fitting(_ most: Int, size: (Element) -> Int) -> [Element] {
    var room = ReplyRoom(most)
    return Array(prefix { room.take(size($0)) })
  }
}

extension ProvidedDevice {
  /// nil: every count is a detent.
  fileprivate var detents: [DeviceInterface.Detent]? {
    guard !countsPerDetent.isEmpty else { return nil }
    return countsPerDetent.sorted { $0.key < $1.key }.map { code, counts in
      DeviceInterface.Detent(code: EvdevUsage.relative(code).codeName, counts: Int64(counts))
    }
  }
}
