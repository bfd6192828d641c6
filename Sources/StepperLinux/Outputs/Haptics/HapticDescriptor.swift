/// What the report descriptor of a HID device says about its haptics.
struct HapticDescriptor {
  /// Usages, with the page in the upper half.
  enum Usage: UInt32 {
    case resolutionMultiplier = 0x0001_0048
    case automaticTrigger = 0x000E_0020
    case manualTrigger = 0x000E_0021
    case intensity = 0x000E_0023

    static let waveformList: UInt32 = 0x000E_0010
    static let clickWaveform = 0x1003
  }

  /// All output reports, or all feature reports.
  struct Reports {
    /// The first field of each usage, with its report.
    private var fields: [Usage: (report: UInt8, field: HapticReport.Field)] = [:]
    /// The number of bits of each report.
    private var lengths: [UInt8: Int] = [:]

    /// Maximum length of a report, `HID_MAX_BUFFER_SIZE` in the kernel.
    private static var maximumBits: Int { 16_384 * 8 }

    func field(_ usage: Usage) -> (report: UInt8, field: HapticReport.Field)? { fields[usage] }

    /// The length without the identifier.
    func byteCount(of report: UInt8) -> Int { (lengths[report, default: 0] + 7) / 8 }

    /// Adds fields to a report. Returns false if the report becomes longer than permitted.
    fileprivate mutating func add(_ globals: Globals, _ usages: [UInt32], isConstant: Bool) -> Bool {
      let (bits, overflow) = globals.size.multipliedReportingOverflow(by: globals.count)
      let begin = lengths[globals.report, default: 0]
      guard !overflow, bits <= Self.maximumBits - begin else { return false }
      lengths[globals.report] = begin + bits
      guard !isConstant, let range = globals.range else { return true }
      for (index, usage) in usages.prefix(globals.count).enumerated() {
        guard let usage = Usage(rawValue: usage), fields[usage] == nil else { continue }
        let bit = begin + index * globals.size
        fields[usage] = (globals.report, .init(bit: bit, size: globals.size, range: range))
      }
      return true
    }
  }

  private(set) var outputs = Reports()
  private(set) var features = Reports()
  /// The index of the click in the list of waveforms; nil if the descriptor does not specify it.
  private(set) var click: Int?

  private var globals = Globals()
  private var stack: [Globals] = []
  private var usages: [UInt32] = []
  private var collections: [UInt32] = []

  fileprivate struct Globals {
    var page: UInt32 = 0
    var logical = (minimum: 0, maximum: 0)
    /// The logical maximum read as unsigned; valid if the minimum is not negative.
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

  /// Returns nil if the descriptor is not valid.
  init?(_ descriptor: [UInt8]) {
    for item in HIDReportItems(descriptor) { guard read(item) else { return nil } }
  }

  /// Returns whether the descriptor is valid so far.
  private mutating func read(_ item: HIDReportItems.Item) -> Bool {
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
    case 0x90: guard outputs.add(globals, usages, isConstant: item.unsigned & 1 == 1) else { return false }
    case 0xB0:
      guard features.add(globals, usages, isConstant: item.unsigned & 1 == 1) else { return false }
      noteWaveform()
    default: break
    }
    // Local items apply to one main item; main items have the type 0.
    if item.prefix & 0x0C == 0 { usages = [] }
    return stack.count <= 16 && collections.count <= 256 && usages.count <= 1024
  }

  /// A fixed list has one field for each index: its logical value is the index and its physical value the waveform.
  private mutating func noteWaveform() {
    guard collections.last == Usage.waveformList, globals.logical.minimum == globals.logical.maximum,
      globals.physical.minimum == globals.physical.maximum, globals.physical.minimum == Usage.clickWaveform
    else { return }
    click = click ?? globals.logical.minimum
  }
}
