/// One way to recognise a device: every condition that is given must hold.
package struct DeviceMatch: Hashable, Sendable {
  /// Of the program that has attached the device; nil: it is one of the kernel.
  package var provider: String?
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

  /// Whether its conditions are capabilities only.
  package var isGeneric: Bool {
    provider == nil && name == nil && vendor == nil && product == nil && physicalPath == nil
      && uniqueName == nil && path == nil && properties.isEmpty
  }
}
