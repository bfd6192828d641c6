internal import CLinux
internal import Glibc
internal import SystemPackage

/// An open hidraw node. Opening it, and everything done with it, may wait for any HID device that is asked for a feature report at
/// that time: over Bluetooth for up to ten seconds.
final class HIDNode: Sendable {
  private let descriptor: OwnedFileDescriptor

  init(_ path: String) throws(Errno) {
    descriptor = try OwnedFileDescriptor(unsafe open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC))
  }

  /// Writes an output report, which begins with its identifier.
  func write(_ report: [UInt8]) throws(Errno) {
    guard unsafe Glibc.write(descriptor.rawValue, report, report.count) >= 0 else { throw .current }
  }

  /// Reads feature reports: `templates` have their identifiers and lengths.
  func features(_ templates: [[UInt8]]) throws(Errno) -> [[UInt8]] {
    var reports = templates
    for index in reports.indices {
      let count = unsafe chidraw_get_feature(descriptor.rawValue, &reports[index], reports[index].count)
      guard count >= 0 else { throw Errno(rawValue: -count) }
      reports[index][0] = templates[index][0]
    }
    return reports
  }

  func setFeature(_ report: [UInt8]) throws(Errno) {
    let count = unsafe chidraw_set_feature(descriptor.rawValue, report, report.count)
    guard count >= 0 else { throw Errno(rawValue: -count) }
  }
}
