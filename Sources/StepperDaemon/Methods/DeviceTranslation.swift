import StepperConfiguration
import StepperCore
import StepperInput
import StepperWire

/// Devices in the words of the wire.
extension Devices {
  /// The used ones first, each group in the order in which they came.
  var descriptions: [DeviceInterface.Device] {
    let used = entries.filter { $0.configuration != nil }
    let unused = entries.filter { $0.configuration == nil }
    return (used + unused).map { description(of: $0) }
  }

  private func description(of entry: DeviceEntry) -> DeviceInterface.Device {
    let identity = entry.identity
    return DeviceInterface.Device(
      device: entry.name,
      name: identity?.name ?? entry.className ?? (entry.isVirtual ? "Virtual front panel" : ""),
      vendor: identity.map { hexadecimal($0.vendor) }, product: identity.map { hexadecimal($0.product) },
      physicalPath: identity?.physicalPath, uniqueName: identity?.uniqueName, node: identity?.node,
      virtual: entry.isVirtual, state: .init(entry.state), problem: entry.currentProblem,
      capabilities: capabilities(of: entry), outputs: entry.outputs?.kinds.map(\.rawValue) ?? [],
      lights: entry.outputs?.lights ?? [], events: entry.events, overruns: entry.overruns,
      connects: entry.connects)
  }

  private func capabilities(of entry: DeviceEntry) -> [DeviceInterface.Capability] {
    guard !entry.isVirtual else {
      return VirtualInput.allCases.map { input in
        capability(input.usage, named: input.rawValue, of: entry, in: VirtualInput.faderRange)
      }
    }
    let usages = entry.identity?.usages ?? []
    return usages.sorted { ($0.type, $0.code) < ($1.type, $1.code) }.map { usage in
      capability(usage, named: usage.name, of: entry, in: entry.device?.absoluteAxis(usage)?.travel)
    }
  }

  private func capability(
    _ usage: EvdevUsage, named name: String, of entry: DeviceEntry, in travel: ClosedRange<Int32>?
  ) -> DeviceInterface.Capability {
    let travel = usage.isAbsolute ? travel : nil
    return DeviceInterface.Capability(
      name: name, role: usage.isKey ? .button : usage.isRelative ? .encoder : .axis,
      controls: controlsDriven(by: usage, of: entry), eventType: usage.typeName, eventCode: usage.name,
      minimum: travel.map { Int64($0.lowerBound) }, maximum: travel.map { Int64($0.upperBound) })
  }

  /// The names of the controls that an input drives.
  private func controlsDriven(by usage: EvdevUsage, of entry: DeviceEntry) -> [String] {
    guard let name = entry.configuration?.settings.name else { return [] }
    return controls.configurations.map(\.settings).filter { settings in
      settings.bindings.contains { $0.input == InputReference(device: name, usage: usage) }
    }.map(\.name)
  }

  private func hexadecimal(_ number: UInt16) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }
}

extension DeviceInterface.DeviceState {
  init(_ state: DeviceEntry.State) {
    switch state {
    case .absent: self = .absent
    case .unused: self = .unused
    case .denied: self = .denied
    case .busy: self = .busy
    case .open: self = .open
    case .grabbed: self = .grabbed
    }
  }
}
