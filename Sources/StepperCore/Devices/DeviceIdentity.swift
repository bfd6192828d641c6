/// The identity of an input device from udev and sysfs, known before it is opened.
package struct DeviceIdentity: Hashable, Sendable {
  /// For example `/dev/input/event5`; empty for a device that a program has attached.
  package var node: String
  /// The program that has attached the device, by the name it gives itself; nil: it is a device of the kernel.
  package var provider: String?
  package var name = ""
  /// The kernel's number of the bus, such as 3 for `BUS_USB`.
  package var bus: UInt16 = 0
  package var vendor: UInt16 = 0
  package var product: UInt16 = 0
  /// The physical path, for example `usb-0000:00:14.0-2/input0`.
  package var physicalPath = ""
  /// The serial number or Bluetooth address, if there is one.
  package var uniqueName = ""
  /// The links that udev made to the node, such as those in `/dev/input/by-path` and `/dev/input/by-id`.
  package var links: [String] = []
  package var properties: [String: String] = [:]
  /// Every key and axis that the device reports.
  package var usages: Set<EvdevUsage> = []

  package init(node: String) { self.node = node }

  /// Identifies the device among all connected ones: its node, or the identity that its program gives.
  package var place: [String] { provider.map { [$0, name, physicalPath, uniqueName] } ?? [node] }

  /// Whether another program created the device with `/dev/uinput`, as its path in sysfs shows. A Bluetooth device
  /// has no parent either, but another path.
  package var isMadeByProgram: Bool {
    properties["DEVPATH"]?.hasPrefix("/devices/virtual/input/") ?? false
  }

  /// Whether this is a HID device on USB, as its path in sysfs shows.
  package var isUSBHID: Bool {
    let parts = properties["DEVPATH"]?.split(separator: "/") ?? []
    return parts.contains { $0.hasPrefix("usb") } && parts.contains { $0.hasPrefix("0003:") }
  }
}
