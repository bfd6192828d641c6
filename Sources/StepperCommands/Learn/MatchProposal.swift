internal import StepperCore
internal import StepperText

/// The conditions that match a device after it is plugged in again and after a restart.
enum MatchProposal {
  /// The most stable conditions that match `device` and no other of `devices`; nil if nothing distinguishes the device.
  /// `usages` are its bound inputs.
  static func match(
    for device: RecordedDevice, with usages: Set<EvdevUsage>, among devices: [RecordedDevice]
  ) -> DeviceMatch? {
    let others = devices.filter { $0.identity.place != device.identity.place }
    return candidates(for: device, with: usages).first { match in
      match.matches(device.identity) && !others.contains { match.matches($0.identity) }
    }
  }

  /// The candidates, the most stable ones first.
  private static func candidates(for device: RecordedDevice, with usages: Set<EvdevUsage>) -> [DeviceMatch] {
    let identity = device.identity
    let path = link(of: identity, in: "/dev/input/by-path/")
    let (name, serial) = (text(identity.name), text(identity.uniqueName))
    let physical = text(identity.physicalPath)
    if let provider = identity.provider {
      let named = DeviceMatch().with { ($0.provider, $0.name) = (provider, name) }
      let numbered =
        serial.map { serial in detailed(named.with { $0.uniqueName = serial }, name, usages) } ?? []
      return numbered + detailed(named, name, usages)
        + (physical.map { physical in detailed(named.with { $0.physicalPath = physical }, name, usages) }
          ?? [])
    }
    let place = DeviceMatch().with { $0.path = path }
    var candidates: [DeviceMatch] = []
    // The path of a device on the board does not change.
    if device.isBuiltIn, path != nil { candidates.append(place) }
    if identity.vendor != 0 || identity.product != 0 {
      let model = DeviceMatch().with { ($0.vendor, $0.product) = (identity.vendor, identity.product) }
      if let serial { candidates += detailed(model.with { $0.uniqueName = serial }, name, usages) }
      candidates += detailed(model, name, usages)
      // Two identical devices are distinguished by their sockets.
      if path != nil { candidates.append(place) }
      if let physical { candidates += detailed(model.with { $0.physicalPath = physical }, name, usages) }
    }
    let named = DeviceMatch().with { $0.name = name }
    if name != nil, serial != nil { candidates.append(named.with { $0.uniqueName = serial }) }
    if name != nil { candidates += detailed(named, nil, usages) }
    if name != nil, physical != nil { candidates.append(named.with { $0.physicalPath = physical }) }
    if path != nil { candidates.append(place) }
    return candidates
  }

  /// The match, followed by matches with more conditions, for a device with several nodes.
  private static func detailed(
    _ match: DeviceMatch, _ name: String?, _ usages: Set<EvdevUsage>
  ) -> [DeviceMatch] {
    let fine = match.with { $0.usages = usages }
    guard let name, match.name == nil else { return [match, fine] }
    return [match, fine].flatMap { match in [match, match.with { $0.name = name }] }
  }

  /// udev's shortest link in `folder`; its other links lead to the same node.
  private static func link(of identity: DeviceIdentity, in folder: String) -> String? {
    let links = identity.links.filter { $0.hasPrefix(folder) && text($0, upTo: 1_024) != nil }
    return links.min { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
  }

  /// A text as a pattern of the configuration. A `*` in it becomes `?`, so that it does not match other texts.
  private static func text(_ text: String, upTo limit: Int = 256) -> String? {
    let isFit =
      !text.isEmpty && text.utf8.count <= limit
      && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    return isFit ? text.unicodeScalars.map { $0 == "*" ? "?" : String($0) }.joined() : nil
  }
}

extension DeviceMatch {
  fileprivate func with(_ change: (inout DeviceMatch) -> Void) -> DeviceMatch {
    var match = self
    change(&match)
    return match
  }
}
