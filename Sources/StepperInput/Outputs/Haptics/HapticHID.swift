internal import Glibc
internal import StepperCore
internal import StepperSystem
package import SystemPackage

/// The haptics of a HID device such as the Surface Dial, which has no `EV_FF`, by its hidraw node.
///
/// Writing hands the report to the kernel's transport: Bluetooth queues it; USB and I2C wait for the turn on
/// the bus.
package final class HapticHID: PulseOutput {
  package let name: String
  private let descriptor: OwnedFileDescriptor
  private let report: HapticReport
  private var isOn = false
  /// Of the intensity, 0…1.
  var gain = 1.0

  /// The haptics of the device that the event node `node` belongs to; nil if it has none.
  ///
  /// Throws what opening the hidraw node fails with: `EACCES` where only root may.
  package convenience init?(besides node: String, sysfs: FilePath = "/sys", nodes: FilePath = "/dev")
    throws(Errno)
  {
    guard let name = FilePath(node).lastComponent,
      // The event node's parent is the input device, and the parent of that is the HID device.
      let device = Self.hidDevice(sysfs.appending("class/input").appending(name).appending("device/device")),
      let hidraw = Self.hidraw(of: device),
      // No error: it is another device than a HID one.
      let descriptor = try? device.bytes("report_descriptor"),
      let report = HapticReport(descriptor: descriptor)
    else { return nil }
    try self.init(node: nodes.appending(hidraw).string, report: report)
  }

  /// Opens the hidraw node `node`.
  package init(node: String, report: HapticReport) throws(Errno) {
    descriptor = try OwnedFileDescriptor(unsafe open(node, O_WRONLY | O_NONBLOCK | O_CLOEXEC))
    name = node
    self.report = report
  }

  private static func hidDevice(_ path: FilePath) -> AttributeDirectory? {
    let directory = AttributeDirectory(path)
    return directory.has("report_descriptor") ? directory : nil
  }

  /// Such as `hidraw3`; a HID device has one.
  private static func hidraw(of device: AttributeDirectory) -> String? {
    guard let directory = unsafe opendir(device.path.appending("hidraw").string) else { return nil }
    defer { unsafe closedir(directory) }
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasPrefix("hidraw") { return name }
    }
    return nil
  }

  /// A click ends by itself; of another waveform nobody knows.
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
