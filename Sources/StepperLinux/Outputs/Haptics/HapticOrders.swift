internal import StepperCore

/// The orders for haptics, as one piece of work after another: a value without I/O and without a clock.
///
/// Only the latest order for a pulse and the latest for detents count. A pulse that would be late is dropped, because
/// late feedback is misleading.
struct HapticOrders {
  enum Work: Hashable {
    /// Write this report.
    case pulse([UInt8])
    /// Apply this setting of detents; nil: restore the device's original reports.
    case detents(DetentReports.Setting?)
  }

  private var pulse: (report: [UInt8], until: Instant?)?
  private var detents: DetentReports.Setting?
  /// The setting that was begun last.
  private var begun: DetentReports.Setting?

  /// `until` is the time after which the pulse is too late; nil: never.
  mutating func order(pulse report: [UInt8], until: Instant?) { pulse = (report, until) }
  mutating func order(detents setting: DetentReports.Setting?) { detents = setting }

  /// The work that is due at `now`; nil: none.
  mutating func next(at now: Instant) -> Work? {
    if let until = pulse?.until, until < now { pulse = nil }
    if let pulse { return .pulse(pulse.report) }
    return detents == begun ? nil : .detents(detents)
  }

  /// Notes that the work that was due has begun.
  mutating func began(_ work: Work) {
    switch work {
    case .pulse: pulse = nil
    case .detents(let setting): begun = setting
    }
  }

  /// Detents are impossible: drops the order for them.
  mutating func giveUpDetents() { detents = begun }
}
