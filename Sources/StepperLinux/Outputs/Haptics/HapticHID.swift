internal import Glibc
internal import StepperCore
package import SystemPackage
internal import Varlink

/// The haptics of a HID device without `EV_FF`, such as the Surface Dial, through its hidraw node.
///
/// A write passes the report to the transport of the kernel: Bluetooth queues it; USB and I2C wait for the transfer.
package final class HapticHID: PulseOutput {
  package let name: String
  private let descriptor: OwnedFileDescriptor
  private let report: HapticReport
  private let detents: DetentReports?
  private var isOn = false
  /// The factor of the intensity, 0…1.
  var gain = 1.0

  /// The haptics of the device that the event node `node` belongs to; nil if it has none.
  ///
  /// Throws the error of opening the hidraw node, such as `EACCES` if only root is permitted.
  package convenience init?(besides node: String, sysfs: FilePath = "/sys", nodes: FilePath = "/dev")
    throws(Errno)
  {
    guard let name = FilePath(node).lastComponent,
      // The parent of the event node is the input device, whose parent is the HID device.
      let device = Self.hidDevice(sysfs.appending("class/input").appending(name).appending("device/device")),
      let hidraw = Self.hidraw(of: device),
      // Not an error: the device is not a HID device.
      let descriptor = try? device.bytes("report_descriptor"),
      let report = HapticReport(descriptor: descriptor)
    else { return nil }
    try self.init(
      node: nodes.appending(hidraw).string, report: report, detents: DetentReports(descriptor: descriptor))
  }

  /// Opens the hidraw node `node`.
  package init(node: String, report: HapticReport, detents: DetentReports? = nil) throws(Errno) {
    descriptor = try OwnedFileDescriptor(unsafe open(node, O_WRONLY | O_NONBLOCK | O_CLOEXEC))
    name = node
    self.report = report
    self.detents = detents
  }

  /// What has the knob make detents itself; nil: it cannot.
  package func makeDetents() throws(Errno) -> HIDDetents? {
    guard let detents else { return nil }
    return try HIDDetents(OwnedFileDescriptor(fcntl(descriptor.rawValue, F_DUPFD_CLOEXEC, 3)), detents)
  }

  private static func hidDevice(_ path: FilePath) -> AttributeDirectory? {
    let directory = AttributeDirectory(path)
    return directory.has("report_descriptor") ? directory : nil
  }

  /// Such as `hidraw3`; a HID device has one hidraw node.
  private static func hidraw(of device: AttributeDirectory) -> String? {
    guard let directory = unsafe opendir(device.path.appending("hidraw").string) else { return nil }
    defer { unsafe closedir(directory) }
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe OutsideText.shown(bytes.prefix { $0 != 0 })
      }
      if name.hasPrefix("hidraw") { return name }
    }
    return nil
  }

  /// A click ends without a command; the duration of other waveforms is unknown.
  var endsByItself: Bool { report.click != nil }

  func begin(_ pulse: EffectPattern.Pulse, of pattern: EffectPattern) throws(Errno) {
    isOn = true
    try write(report.bytes(waveform: report.click ?? HapticReport.first, strength: pattern.strength * gain))
  }

  func end() throws(Errno) {
    guard isOn else { return }
    isOn = false
    guard report.trigger.range.contains(HapticReport.stop) else { return }
    try write(report.bytes(waveform: HapticReport.stop))
  }

  private func write(_ bytes: [UInt8]) throws(Errno) {
    var result: Int
    repeat {
      result = unsafe Glibc.write(descriptor.rawValue, bytes, bytes.count)
    } while result < 0 && errno == EINTR
    guard result >= 0 else { throw .current }
  }
}
