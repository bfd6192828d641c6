/// The feature reports that let a HID knob make detents by itself: the counts per turn (its resolution multiplier),
/// and the waveform that it plays at each count (the automatic trigger of its haptics, as Microsoft requires of
/// radial controllers).
package struct DetentReports: Hashable, Sendable {
  /// A field of a feature report.
  struct Place: Hashable, Sendable {
    let report: UInt8
    /// The length of the report, without the identifier.
    let byteCount: Int
    let field: HapticReport.Field
  }

  /// What the knob does at each of its counts.
  package struct Setting: Hashable, Sendable {
    package var countsPerTurn: Int
    /// Whether the knob plays the waveform of a detent.
    package var isFelt: Bool

    package init(countsPerTurn: Int, isFelt: Bool) {
      (self.countsPerTurn, self.isFelt) = (countsPerTurn, isFelt)
    }
  }

  private let counts: Place
  private let trigger: Place
  private let waveform: Int

  /// The longest report, without the identifier, that fits in a request to hidraw, whose size field has 14 bits.
  private static let mostBytes = (1 << 14) - 2

  /// Returns nil if `descriptor` has no automatic trigger, or the counts per turn cannot be set.
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

  /// The maximum of counts per turn.
  package var mostCounts: Int { counts.field.range.upperBound }

  /// Templates for reading the reports: the identifier, followed by as many zeros as the report has bytes.
  package var reports: [[UInt8]] {
    let places = counts.report == trigger.report ? [counts] : [counts, trigger]
    return places.map { [$0.report] + [UInt8](repeating: 0, count: $0.byteCount) }
  }

  /// Applies the setting to a report that was read.
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
