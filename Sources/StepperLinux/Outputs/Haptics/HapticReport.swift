/// The output report that plays a haptic waveform: a "Simple Haptic Controller" of the HID usage tables, page 0x0E,
/// with a manual trigger, as Microsoft requires of radial controllers.
///
/// The trigger names a waveform by its index in the list of the device: 1 is none, 2 stops, and the waveforms of the
/// device begin at 3. The list contains their usages, as constants of the descriptor if it is fixed.
package struct HapticReport: Hashable, Sendable {
  /// 0 if the reports of the device are not numbered.
  var identifier: UInt8
  /// The length of the report without the identifier.
  var byteCount: Int
  var trigger: Field
  /// The intensity in percent, limited to the field's range.
  var intensity: Field?
  /// The index of the click in the list; nil if the descriptor does not specify it.
  package var click: Int?

  struct Field: Hashable, Sendable {
    var bit: Int
    var size: Int
    var range: ClosedRange<Int>

    /// Writes `value` into `bytes`, which begin with the identifier.
    func put(_ value: Int, into bytes: inout [UInt8]) {
      for bit in 0..<min(size, Int.bitWidth) {
        let (byte, mask) = (1 + (self.bit + bit) / 8, UInt8(1) << UInt8((self.bit + bit) % 8))
        bytes[byte] = value >> bit & 1 == 1 ? bytes[byte] | mask : bytes[byte] & ~mask
      }
    }
  }

  static let stop = 2
  /// The index of the first waveform of the device.
  static let first = 3

  /// The report to write to hidraw.
  package func bytes(waveform: Int, strength: Double = 1) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 1 + byteCount)
    bytes[0] = identifier
    trigger.put(waveform, into: &bytes)
    if let intensity {
      intensity.put(Int((strength * Double(min(intensity.range.upperBound, 100))).rounded()), into: &bytes)
    }
    return bytes
  }
}

extension HapticReport {
  /// Returns nil if `descriptor` has no manual trigger.
  package init?(descriptor: [UInt8]) {
    guard let reader = HapticDescriptor(descriptor), let trigger = reader.outputs.field(.manualTrigger),
      trigger.field.range.contains(Self.first)
    else { return nil }
    let intensity = reader.outputs.field(.intensity)
    self.init(
      identifier: trigger.report, byteCount: reader.outputs.byteCount(of: trigger.report),
      trigger: trigger.field, intensity: intensity?.report == trigger.report ? intensity?.field : nil,
      click: reader.click)
  }
}
