/// The identity of an input device from udev and sysfs, known before it is opened.
package struct DeviceIdentity: Hashable, Sendable {
  /// `/dev/input/event5`; empty for a device that a program has attached.
  package var node: String
  /// The program that has attached it, as that calls itself; nil: it is the kernel's.
  package var provider: String?
  package var name = ""
  /// Number of the bus in the kernel, such as 3 for `BUS_USB`.
  package var bus: UInt16 = 0
  package var vendor: UInt16 = 0
  package var product: UInt16 = 0
  /// Its physical path, for example `usb-0000:00:14.0-2/input0`.
  package var physicalPath = ""
  /// Its serial number or Bluetooth address, if it has one.
  package var uniqueName = ""
  /// The links udev made to it, such as those in `/dev/input/by-path` and `/dev/input/by-id`.
  package var links: [String] = []
  package var properties: [String: String] = [:]
  /// Every key and axis that it reports.
  package var usages: Set<EvdevUsage> = []

  package init(node: String) { self.node = node }

  /// What tells it from every other connected device: its node, or what its program says.
  package var place: [String] { provider.map { [$0, name, physicalPath, uniqueName] } ?? [node] }

  /// Whether another program created it with `/dev/uinput`, as its path in sysfs shows; a Bluetooth device,
  /// which has no parent either, has another path.
  package var isMadeByProgram: Bool {
    properties["DEVPATH"]?.hasPrefix("/devices/virtual/input/") ?? false
  }

  /// Whether it is a HID device at USB, as its path in sysfs shows.
  package var isUSBHID: Bool {
    let parts = properties["DEVPATH"]?.split(separator: "/") ?? []
    return parts.contains { $0.hasPrefix("usb") } && parts.contains { $0.hasPrefix("0003:") }
  }
}
