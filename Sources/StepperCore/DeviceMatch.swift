/// What is known of an input device before it is opened, from udev and sysfs.
package struct DeviceIdentity: Hashable, Sendable {
  /// `/dev/input/event5`.
  package var node: String
  package var name = ""
  package var vendor: UInt16 = 0
  package var product: UInt16 = 0
  /// Where it is plugged in, for example `usb-0000:00:14.0-2/input0`.
  package var physicalPath = ""
  /// Its serial number or Bluetooth address, if it has one.
  package var uniqueName = ""
  /// The links udev made to it, such as those in `/dev/input/by-path` and `/dev/input/by-id`.
  package var links: [String] = []
  package var properties: [String: String] = [:]
  /// Every key and axis it says it has.
  package var usages: Set<EvdevUsage> = []
  /// Whether it is a whole keyboard, mouse, touchpad, touchscreen or tablet: something that a rule which
  /// names no particular device must never take.
  package var isGeneralPurpose = false

  package init(node: String) { self.node = node }

  /// Whether no hardware is behind it: another program makes it, by `/dev/uinput`. Its place in sysfs says so; a
  /// Bluetooth device's, which has no parent either, is another.
  package var isMadeByProgram: Bool {
    properties["DEVPATH"]?.hasPrefix("/devices/virtual/input/") ?? false
  }
}

/// One way to recognise a device: every condition that is given must hold.
package struct DeviceMatch: Hashable, Sendable {
  /// Shell patterns with `*`, `?`; nil: any.
  package var name: String?
  package var vendor: UInt16?
  package var product: UInt16?
  package var physicalPath: String?
  package var uniqueName: String?
  /// The node or a link to it.
  package var path: String?
  /// udev properties; the values are patterns.
  package var properties: [String: String] = [:]
  /// Keys and axes, all of which it must have.
  package var usages: Set<EvdevUsage> = []

  package init() {}

  /// Whether it only says what a device can do, not which one it is.
  package var isGeneric: Bool {
    name == nil && vendor == nil && product == nil && physicalPath == nil && uniqueName == nil && path == nil
      && properties.isEmpty
  }

  package func matches(_ device: DeviceIdentity) -> Bool {
    func fits(_ pattern: String?, _ text: String) -> Bool { pattern.map { glob($0, matches: text) } ?? true }
    return fits(name, device.name)
      && fits(physicalPath, device.physicalPath)
      && fits(uniqueName, device.uniqueName)
      && vendor.map { $0 == device.vendor } ?? true
      && product.map { $0 == device.product } ?? true
      && path.map { path in ([device.node] + device.links).contains { glob(path, matches: $0) } } ?? true
      && properties.allSatisfy { key, pattern in
        device.properties[key].map { glob(pattern, matches: $0) } ?? false
      }
      && usages.isSubset(of: device.usages)
      && !(isGeneric && device.isGeneralPurpose)
  }
}

/// Whether `text` fits the shell pattern `pattern`, in which `*` stands for any text and `?` for one
/// character. Takes time proportional to the product of both lengths at most.
package func glob(_ pattern: some StringProtocol, matches text: some StringProtocol) -> Bool {
  let (pattern, text) = (Array(pattern), Array(text))
  var (p, t) = (0, 0)
  /// Where the last `*` was, and how much of the text it has swallowed so far.
  var star: (pattern: Int, text: Int)?
  while t < text.count {
    if p < pattern.count, pattern[p] == "*" {
      star = (p, t)
      p += 1
    } else if p < pattern.count, pattern[p] == "?" || pattern[p] == text[t] {
      (p, t) = (p + 1, t + 1)
    } else if let last = star {
      star = (last.pattern, last.text + 1)
      (p, t) = (last.pattern + 1, last.text + 1)
    } else {
      return false
    }
  }
  return pattern[p...].allSatisfy { $0 == "*" }
}
