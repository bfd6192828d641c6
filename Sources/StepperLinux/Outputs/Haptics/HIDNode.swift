internal import CLinux
internal import Glibc
internal import SystemPackage

/// An open hidraw node. Opening it, and every operation on it, may wait while any HID device is being asked for a
/// feature report: over Bluetooth for up to ten seconds.
final class HIDNode: Sendable {
  private let descriptor: OwnedFileDescriptor

  init(_ path: String) throws(Errno) {
    descriptor = try OwnedFileDescriptor(unsafe open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC))
  }

  /// Writes an output report, which begins with its identifier.
  func write(_ report: [UInt8]) throws(Errno) {
    try Errno.check(unsafe Glibc.write(descriptor.rawValue, report, report.count))
  }

  /// Reads feature reports; `templates` give their identifiers and lengths.
  func features(_ templates: [[UInt8]]) throws(Errno) -> [[UInt8]] {
    var reports = templates
    for index in reports.indices {
      try Errno.check(
        status: unsafe chidraw_get_feature(descriptor.rawValue, &reports[index], reports[index].count))
      reports[index][0] = templates[index][0]
    }
    return reports
  }

  func setFeature(_ report: [UInt8]) throws(Errno) {
    try Errno.check(status: unsafe chidraw_set_feature(descriptor.rawValue, report, report.count))
  }
}
