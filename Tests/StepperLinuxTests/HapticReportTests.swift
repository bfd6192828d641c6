import StepperLinux
import TestSupport
import Testing

@Suite struct HapticReportTests {
  /// The haptic part as Microsoft's Surface Dial has it: one output report of repeat count, manual trigger and
  /// retrigger period, with feature reports in between; a fixed list of waveforms.
  private static let dial: [UInt8] = [
    0x05, 0x01, 0x09, 0x0E, 0xA1, 0x01, 0x85, 0x01,  // a multi-axis controller, report 1
    0x75, 0x08, 0x95, 0x01, 0x05, 0x0E, 0x09, 0x01, 0xA1, 0x02,  // its haptic controller
    0x15, 0x00, 0x26, 0xFF, 0x00, 0x09, 0x24, 0xB1, 0x42, 0x09, 0x24, 0x91, 0x42,  // repeat count
    0x15, 0x01, 0x25, 0x07, 0x09, 0x20, 0xB1, 0x42, 0x09, 0x21, 0x91, 0x42,  // triggers
    0x25, 0x0A, 0x09, 0x28, 0xB1, 0x42, 0x75, 0x10, 0x26, 0xD0, 0x07, 0x09, 0x25, 0xB1, 0x42,
    0x09, 0x25, 0x91, 0x42,  // retrigger period
    0x85, 0x02, 0x75, 0x20, 0x09, 0x10, 0xA1, 0x02, 0x05, 0x0A,  // the waveforms, report 2
    0x15, 0x03, 0x25, 0x03, 0x36, 0x03, 0x10, 0x46, 0x03, 0x10, 0x09, 0x03, 0xB1, 0x02,
    0x15, 0x04, 0x25, 0x04, 0x36, 0x04, 0x10, 0x46, 0x04, 0x10, 0x09, 0x04, 0xB1, 0x02,
    0xC0, 0xC0, 0xC0,
  ]

  @Test func `the report of a Surface Dial`() throws {
    let report = try #require(HapticReport(descriptor: Self.dial))
    #expect(report.click == 3)
    #expect(report.bytes(waveform: 3) == [1, 0, 3, 0, 0])
  }

  @Test func `intensity, bits, and reports without numbers`() throws {
    let report = try #require(
      HapticReport(descriptor: [
        // Four constant bits, a long item, the intensity with its page, and the trigger.
        0x05, 0x0E, 0x09, 0x01, 0xA1, 0x01, 0xA4, 0x75, 0x04, 0x95, 0x01, 0x91, 0x03, 0xB4,
        0xFE, 0x02, 0x00, 0x91, 0x91,
        0x15, 0x00, 0x25, 0x64, 0x75, 0x08, 0x95, 0x01, 0x0B, 0x23, 0x00, 0x0E, 0x00, 0x91, 0x02,
        0x25, 0x0F, 0x75, 0x04, 0x09, 0x21, 0x91, 0x02, 0xC0,
      ]))
    #expect(report.click == nil)
    #expect(report.bytes(waveform: 3, strength: 0.5) == [0, 0x20, 0x33])
    #expect(report.bytes(waveform: 4, strength: 1) == [0, 0x40, 0x46])
  }

  /// The same with the resolution multiplier of the dial in front of its feature reports, as it is there.
  private static var dialWithCounts: [UInt8] {
    var descriptor = dial
    descriptor.insert(
      contentsOf: [0x05, 0x01, 0x15, 0x00, 0x26, 0x10, 0x0E, 0x75, 0x10, 0x95, 0x01, 0x09, 0x48, 0xB1, 0x02],
      at: 8)
    return descriptor
  }

  @Test func `a Surface Dial makes detents by its feature report`() throws {
    let layout = try #require(DetentReports(descriptor: Self.dialWithCounts))
    #expect(layout.mostCounts == 3_600)
    #expect(layout.reports == [[1, 0, 0, 0, 0, 0, 0, 0]])
    var report: [UInt8] = [1, 0xFF, 0xFF, 9, 7, 8, 0x34, 0x12]
    layout.apply(.init(countsPerTurn: 360, isFelt: true), to: &report)
    #expect(report == [1, 0x68, 0x01, 9, 3, 8, 0x34, 0x12])
    layout.apply(.init(countsPerTurn: 24, isFelt: false), to: &report)
    #expect(report == [1, 24, 0, 9, 2, 8, 0x34, 0x12])
    layout.apply(.init(countsPerTurn: 10_000, isFelt: false), to: &report)
    #expect(report == [1, 0x10, 0x0E, 9, 2, 8, 0x34, 0x12])
  }

  @Test func `without an automatic trigger or counts that can be set there are no detents`() {
    #expect(DetentReports(descriptor: Self.dial) == nil)
    #expect(DetentReports(descriptor: []) == nil)
    let plain = Self.dialWithCounts.map { $0 == 0x20 ? 0x2F : $0 }
    #expect(DetentReports(descriptor: plain) == nil)
    // A report that is longer than a request to hidraw can be, by a feature of 16 KiB in front of the others.
    var long = Self.dialWithCounts
    long.insert(contentsOf: [0x75, 0x08, 0x96, 0xF9, 0x3F, 0xB1, 0x03], at: 8)
    #expect(DetentReports(descriptor: long) == nil)
    long.replaceSubrange(8..<15, with: [0x75, 0x08, 0x96, 0xF7, 0x3F, 0xB1, 0x03])
    #expect(DetentReports(descriptor: long) != nil)
  }

  @Test(
    arguments: [
      [], [0x05], [0xFE], [0x05, 0x0E, 0x09, 0x21, 0x81, 0x02], [0x05, 0x0E, 0x09, 0x21, 0xB1, 0x02],
      // An output that only has room for none and stop, and one of the wrong page.
      [0x05, 0x0E, 0x25, 0x02, 0x75, 0x08, 0x95, 0x01, 0x09, 0x21, 0x91, 0x02],
      [0x05, 0x0F, 0x25, 0x07, 0x75, 0x08, 0x95, 0x01, 0x09, 0x21, 0x91, 0x02],
      // More than a report can have.
      [
        0x05, 0x0E, 0x25, 0x07, 0x77, 0xFF, 0xFF, 0xFF, 0x7F, 0x97, 0xFF, 0xFF, 0xFF, 0x7F, 0x09, 0x21, 0x91,
        0x02,
      ],
    ] as [[UInt8]])
  func `what has no manual trigger has no haptics`(descriptor: [UInt8]) {
    #expect(HapticReport(descriptor: descriptor) == nil)
  }

  @Test(arguments: Seed.fresh(1)) func `cut and broken descriptors do no harm`(seed: Seed) {
    var random = SeededGenerator(seed)
    let whole = Self.dialWithCounts
    for count in 0...whole.count { _ = HapticReport(descriptor: Array(whole.prefix(count))) }
    for _ in 0..<5000 {
      var broken = whole
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        broken[Int.random(in: 0..<broken.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      _ = HapticReport(descriptor: broken)?.bytes(waveform: 3, strength: 1)
      guard let layout = DetentReports(descriptor: broken) else { continue }
      for var report in layout.reports { layout.apply(.init(countsPerTurn: 24, isFelt: true), to: &report) }
    }
  }
}
