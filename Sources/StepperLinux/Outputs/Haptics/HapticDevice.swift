internal import Glibc
package import SystemPackage
internal import Varlink

/// The HID device with haptics that belongs to an input device: its location, and the content of its report
/// descriptor.
package struct HapticDevice: Hashable, Sendable {
  /// Its directory in sysfs. No other device has had this path since the system was started.
  let directory: String
  /// Its hidraw node.
  package let node: String
  let report: HapticReport
  /// nil: the device makes no detents by itself.
  let detents: DetentReports?

  /// The HID device of the event node `node`; nil if it has no haptics. Throws if its hidraw node does not exist yet.
  package init?(besides node: String, sysfs: FilePath = "/sys", nodes: FilePath = "/dev") throws(Errno) {
    guard let name = FilePath(node).lastComponent,
      // The parent of the event node is the input device, whose parent is the HID device.
      let directory = realPath(
        sysfs.appending("class/input").appending(name).appending("device/device").string),
      // No error: a device without this attribute is not a HID device.
      let descriptor = try? AttributeDirectory(FilePath(directory)).bytes("report_descriptor"),
      let report = HapticReport(descriptor: descriptor)
    else { return nil }
    guard let hidraw = Self.hidraw(of: FilePath(directory)) else { throw .noSuchFileOrDirectory }
    self.directory = directory
    self.node = nodes.appending(hidraw).string
    self.report = report
    detents = DetentReports(descriptor: descriptor)
  }

  /// The name of the node, such as `hidraw3`; a HID device has one hidraw node.
  private static func hidraw(of directory: FilePath) -> String? {
    names(inDirectory: directory.appending("hidraw").string).first { $0.hasPrefix("hidraw") }
  }
}
