/// One way to recognise a device: every condition that is set must hold.
package struct DeviceMatch: Hashable, Sendable {
  /// The program that has attached the device; nil: a device of the kernel.
  package var provider: String?
  /// Like the other texts, a shell pattern with `*` and `?`; nil: any.
  package var name: String?
  package var vendor: UInt16?
  package var product: UInt16?
  package var physicalPath: String?
  package var uniqueName: String?
  /// The node or a link to it.
  package var path: String?
  /// udev properties; the values are patterns.
  package var properties: [String: String] = [:]
  /// Keys and axes; the device must have all of them.
  package var usages: Set<EvdevUsage> = []

  package init() {}

  /// Whether all conditions are capabilities.
  package var isGeneric: Bool {
    provider == nil && name == nil && vendor == nil && product == nil && physicalPath == nil
      && uniqueName == nil && path == nil && properties.isEmpty
  }
}
