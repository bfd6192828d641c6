/// The output report that plays a haptic waveform: a "Simple Haptic Controller" of the HID usage tables, page 0x0E,
/// with a manual trigger, as Microsoft requires of radial controllers.
///
/// The trigger names a waveform by its index in the list of the device: 1 is none, 2 stops, and the waveforms of the
/// device begin at 3. The list contains their usages, as constants of the descriptor if it is fixed.
package struct HapticReport: Hashable, Sendable {
  /// 0 if the reports of the device are not numbered.
  var identifier: UInt8
  /// Without the identifier.
  var byteCount: Int
  var trigger: Field
  /// In percent, within its range.
  var intensity: Field?
  /// The index of the click in the list; nil if the descriptor does not specify it.
  package var click: Int?

  struct Field: Hashable, Sendable {
    var bit: Int
    var size: Int
    var range: ClosedRange<Int>
  }

  static let stop = 2
  /// The index of the first waveform of the device.
  static let first = 3

  /// The report to write to hidraw.
  package func bytes(waveform: Int, strength: Double = 1) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 1 + byteCount)
    bytes[0] = identifier
    put(waveform, in: trigger, of: &bytes)
    if let intensity {
      put(Int((strength * Double(min(intensity.range.upperBound, 100))).rounded()), in: intensity, of: &bytes)
    }
    return bytes
  }

  private func put(_ value: Int, in field: Field, of bytes: inout [UInt8]) {
    for bit in 0..<min(field.size, Int.bitWidth) where value >> bit & 1 == 1 {
      let position = field.bit + bit
      bytes[1 + position / 8] |= 1 << (position % 8)
    }
  }
}

extension HapticReport {
  /// nil if `descriptor` has no manual trigger.
  package init?(descriptor: [UInt8]) {
    var reader = Reader()
    for item in HIDReportItems(descriptor) { guard reader.read(item) else { return nil } }
    guard let (identifier, trigger) = reader.trigger, trigger.range.contains(Self.first),
      let bits = reader.lengths[identifier]
    else { return nil }
    self.init(
      identifier: identifier, byteCount: (bits + 7) / 8, trigger: trigger,
      intensity: reader.intensity?.report == identifier ? reader.intensity?.field : nil, click: reader.click)
  }

  /// Usages, with the page in the upper half.
  private enum Usage {
    static let waveformList: UInt32 = 0x000E_0010
    static let manualTrigger: UInt32 = 0x000E_0021
    static let intensity: UInt32 = 0x000E_0023
    static let clickWaveform = 0x1003
  }

  private struct Globals {
    var page: UInt32 = 0
    var logical = (minimum: 0, maximum: 0)
    /// The maximum, which is unsigned if the minimum is not negative.
    var unsignedMaximum = 0
    var physical = (minimum: 0, maximum: 0)
    var size = 0
    var count = 0
    var report: UInt8 = 0

    var range: ClosedRange<Int>? {
      let maximum = logical.minimum >= 0 ? unsignedMaximum : logical.maximum
      return logical.minimum <= maximum ? logical.minimum...maximum : nil
    }
  }

  private struct Reader {
    var trigger: (report: UInt8, field: Field)?
    var intensity: (report: UInt8, field: Field)?
    var click: Int?
    /// The number of bits of each output report.
    var lengths: [UInt8: Int] = [:]
    private var globals = Globals()
    private var stack: [Globals] = []
    private var usages: [UInt32] = []
    private var collections: [UInt32] = []

    /// Maximum length of a report, `HID_MAX_BUFFER_SIZE` in the kernel.
    private static var maximumBits: Int { 16_384 * 8 }

    /// Returns whether the descriptor is valid so far.
    mutating func read(_ item: HIDReportItems.Item) -> Bool {
      switch item.prefix {
      case 0x04: globals.page = item.unsigned
      case 0x14: globals.logical.minimum = Int(item.signed)
      case 0x24:
        (globals.logical.maximum, globals.unsignedMaximum) = (Int(item.signed), Int(clamping: item.unsigned))
      case 0x34: globals.physical.minimum = Int(item.signed)
      case 0x44: globals.physical.maximum = Int(item.signed)
      case 0x74: globals.size = Int(clamping: item.unsigned)
      case 0x84: globals.report = UInt8(truncatingIfNeeded: item.unsigned)
      case 0x94: globals.count = Int(clamping: item.unsigned)
      case 0xA4: stack.append(globals)
      case 0xB4: globals = stack.popLast() ?? globals
      case 0x08: usages.append(item.data.count == 4 ? item.unsigned : globals.page << 16 | item.unsigned)
      case 0xA0: collections.append(usages.first ?? 0)
      case 0xC0: _ = collections.popLast()
      case 0x90: guard addOutput(isConstant: item.unsigned & 1 == 1) else { return false }
      case 0xB0: noteWaveform()
      default: break
      }
      // Local items apply to one main item, whose type is 0.
      if item.prefix & 0x0C == 0 { usages = [] }
      return stack.count <= 16 && collections.count <= 256 && usages.count <= 1024
    }

    private mutating func addOutput(isConstant: Bool) -> Bool {
      let (bits, overflow) = globals.size.multipliedReportingOverflow(by: globals.count)
      let begin = lengths[globals.report, default: 0]
      guard !overflow, bits <= Self.maximumBits - begin else { return false }
      lengths[globals.report] = begin + bits
      guard !isConstant, let range = globals.range else { return true }
      for (index, usage) in usages.prefix(globals.count).enumerated() {
        let field = Field(bit: begin + index * globals.size, size: globals.size, range: range)
        if usage == Usage.manualTrigger { trigger = trigger ?? (globals.report, field) }
        if usage == Usage.intensity { intensity = intensity ?? (globals.report, field) }
      }
      return true
    }

    /// A fixed list has one field for each index: its logical value is the index and its physical value the waveform.
    private mutating func noteWaveform() {
      guard collections.last == Usage.waveformList, globals.logical.minimum == globals.logical.maximum,
        globals.physical.minimum == globals.physical.maximum,
        globals.physical.minimum == Usage.clickWaveform
      else { return }
      click = click ?? globals.logical.minimum
    }
  }
}
