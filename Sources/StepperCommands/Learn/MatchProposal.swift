package import StepperCore
internal import StepperText

/// The conditions by which a device is recognised after it was plugged in again, and after a restart.
package enum MatchProposal {
  /// The most stable conditions that fit `device` and no other of `devices`; nil: nothing distinguishes it.
  /// `usages` are the inputs that it is used for.
  package static func match(
    for device: WatchedDevice, with usages: Set<EvdevUsage>, among devices: [WatchedDevice]
  ) -> DeviceMatch? {
    let others = devices.filter { $0.identity.node != device.identity.node }
    return candidates(for: device, with: usages).first { match in
      match.matches(device.identity) && !others.contains { match.matches($0.identity) }
    }
  }

  /// Those that stay longest come first.
  private static func candidates(for device: WatchedDevice, with usages: Set<EvdevUsage>) -> [DeviceMatch] {
    let identity = device.identity
    let path = link(of: identity, in: "/dev/input/by-path/")
    let name = text(identity.name)
    let place = DeviceMatch().with(path: path)
    var candidates: [DeviceMatch] = []
    // What is soldered stays where it is.
    if device.isBuiltIn, path != nil { candidates.append(place) }
    if identity.vendor != 0 || identity.product != 0 {
      let model = DeviceMatch().with(vendor: identity.vendor, product: identity.product)
      if let serial = text(identity.uniqueName) {
        candidates += detailed(model.with(serial: serial), name, usages)
      }
      candidates += detailed(model, name, usages)
      // Of two equal devices each is the one in its socket.
      if path != nil { candidates.append(place) }
      if let physical = text(identity.physicalPath) {
        candidates += detailed(model.with(physicalPath: physical), name, usages)
      }
    }
    if let serial = text(identity.uniqueName), let name {
      candidates.append(DeviceMatch().with(name: name).with(serial: serial))
    }
    if let name { candidates += detailed(DeviceMatch().with(name: name), nil, usages) }
    if let name, let physical = text(identity.physicalPath) {
      candidates.append(DeviceMatch().with(name: name).with(physicalPath: physical))
    }
    if path != nil { candidates.append(place) }
    return candidates
  }

  /// With more and more conditions, for a device with several nodes.
  private static func detailed(
    _ match: DeviceMatch, _ name: String?, _ usages: Set<EvdevUsage>
  ) -> [DeviceMatch] {
    var list = [match]
    if let name, match.name == nil { list.append(match.with(name: name)) }
    var fine = match
    fine.usages = usages
    list.append(fine)
    if let name, match.name == nil {
      fine.name = name
      list.append(fine)
    }
    return list
  }

  /// The link that udev made, the shortest one: a second one has the same meaning with more words.
  private static func link(of identity: DeviceIdentity, in folder: String) -> String? {
    let links = identity.links.filter { $0.hasPrefix(folder) && text($0, upTo: 1_024) != nil }
    return links.min { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
  }

  /// A text as a pattern that a configuration can have. A `*` of a device's own becomes `?`, or a device with that name
  /// would have everything else matched as well.
  private static func text(_ text: String, upTo limit: Int = 256) -> String? {
    let isFit =
      !text.isEmpty && text.utf8.count <= limit
      && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    return isFit ? String(text.map { $0 == "*" ? "?" : $0 }) : nil
  }
}

extension DeviceMatch {
  fileprivate func with(vendor: UInt16, product: UInt16) -> DeviceMatch {
    var match = self
    (match.vendor, match.product) = (vendor, product)
    return match
  }

  fileprivate func with(serial: String) -> DeviceMatch {
    var match = self
    match.uniqueName = serial
    return match
  }

  fileprivate func with(name: String) -> DeviceMatch {
    var match = self
    match.name = name
    return match
  }

  fileprivate func with(physicalPath: String) -> DeviceMatch {
    var match = self
    match.physicalPath = physicalPath
    return match
  }

  fileprivate func with(path: String?) -> DeviceMatch {
    var match = self
    match.path = path
    return match
  }
}
