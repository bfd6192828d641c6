internal import Glibc
package import SystemPackage
internal import Varlink

/// The HID device of an input device that has haptics: where it is, and what its report descriptor says.
package struct HapticDevice: Hashable, Sendable {
  /// Its directory in sysfs. No other device has had it since the start of the system.
  let directory: String
  /// Its hidraw node.
  package let node: String
  let report: HapticReport
  /// nil: it makes no detents by itself.
  let detents: DetentReports?

  /// That of the event node `node`; nil if it has no haptics. Throws if its hidraw node is not there yet.
  package init?(besides node: String, sysfs: FilePath = "/sys", nodes: FilePath = "/dev") throws(Errno) {
    guard let name = FilePath(node).lastComponent,
      // The parent of the event node is the input device, whose parent is the HID device.
      let directory = realPath(
        sysfs.appending("class/input").appending(name).appending("device/device").string),
      // Not an error: the device is not a HID device.
      let descriptor = try? AttributeDirectory(FilePath(directory)).bytes("report_descriptor"),
      let report = HapticReport(descriptor: descriptor)
    else { return nil }
    guard let hidraw = Self.hidraw(of: FilePath(directory)) else { throw .noSuchFileOrDirectory }
    self.directory = directory
    self.node = nodes.appending(hidraw).string
    self.report = report
    detents = DetentReports(descriptor: descriptor)
  }

  /// Such as `hidraw3`; a HID device has one hidraw node.
  private static func hidraw(of directory: FilePath) -> String? {
    guard let stream = unsafe opendir(directory.appending("hidraw").string) else { return nil }
    defer { unsafe closedir(stream) }
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe OutsideText.shown(bytes.prefix { $0 != 0 })
      }
      if name.hasPrefix("hidraw") { return name }
    }
    return nil
  }
}
