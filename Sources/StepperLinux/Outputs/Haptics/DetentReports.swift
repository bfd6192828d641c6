/// The feature reports by which a HID knob makes detents itself: the counts of a turn (its resolution multiplier), and the waveform that
/// it plays at each count (the automatic trigger of its haptics, as Microsoft requires of radial controllers).
package struct DetentReports: Hashable, Sendable {
  /// A field of a feature report.
  struct Place: Hashable, Sendable {
    let report: UInt8
    /// Of the report, without the identifier.
    let byteCount: Int
    let field: HapticReport.Field
  }

  /// What the knob does with each of its counts.
  package struct Setting: Hashable, Sendable {
    package var countsPerTurn: Int
    /// Whether it plays the waveform of a detent.
    package var isFelt: Bool

    package init(countsPerTurn: Int, isFelt: Bool) {
      (self.countsPerTurn, self.isFelt) = (countsPerTurn, isFelt)
    }
  }

  private let counts: Place
  private let trigger: Place
  private let waveform: Int

  /// The longest report of a request to hidraw, whose size has 14 bits, without the identifier.
  private static let mostBytes = (1 << 14) - 2

  /// nil if `descriptor` has no automatic trigger, or the counts of a turn cannot be set.
  package init?(descriptor: [UInt8]) {
    guard let reader = HapticDescriptor(descriptor),
      let counts = reader.features.place(.resolutionMultiplier),
      let trigger = reader.features.place(.automaticTrigger)
    else { return nil }
    waveform = reader.click ?? HapticReport.first
    (self.counts, self.trigger) = (counts, trigger)
    guard trigger.field.range.contains(HapticReport.stop), trigger.field.range.contains(waveform),
      max(counts.byteCount, trigger.byteCount) <= Self.mostBytes
    else { return nil }
  }

  /// The most counts of a turn.
  package var mostCounts: Int { counts.field.range.upperBound }

  /// The reports as one reads them: the identifier and as many zeros as they have bytes.
  package var reports: [[UInt8]] {
    let places = counts.report == trigger.report ? [counts] : [counts, trigger]
    return places.map { [$0.report] + [UInt8](repeating: 0, count: $0.byteCount) }
  }

  /// Changes a report that was read.
  package func apply(_ setting: Setting, to report: inout [UInt8]) {
    let range = counts.field.range
    if report[0] == counts.report {
      counts.field.put(min(max(setting.countsPerTurn, range.lowerBound), range.upperBound), into: &report)
    }
    if report[0] == trigger.report {
      trigger.field.put(setting.isFelt ? waveform : HapticReport.stop, into: &report)
    }
  }
}

extension HapticDescriptor.Reports {
  fileprivate func place(_ usage: HapticDescriptor.Usage) -> DetentReports.Place? {
    field(usage).map {
      DetentReports.Place(report: $0.report, byteCount: byteCount(of: $0.report), field: $0.field)
    }
  }
}
