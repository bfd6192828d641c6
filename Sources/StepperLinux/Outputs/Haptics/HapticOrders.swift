internal import StepperCore

/// What haptics are to do, one piece of work after another: a value without I/O and without a clock.
///
/// Of pulses and of detents the latest order counts. A pulse that would be late is left out, because late feedback is misleading.
struct HapticOrders {
  enum Work: Hashable {
    /// Write this report.
    case pulse([UInt8])
    /// Make these detents; nil: what the device had at first.
    case detents(DetentReports.Setting?)
  }

  private var pulse: (report: [UInt8], until: Instant?)?
  private var detents: DetentReports.Setting?
  /// What was begun last.
  private var begun: DetentReports.Setting?

  /// `until` is when the pulse is too late; nil: never.
  mutating func order(pulse report: [UInt8], until: Instant?) { pulse = (report, until) }
  mutating func order(detents setting: DetentReports.Setting?) { detents = setting }

  /// The work that is due at `now`.
  mutating func next(at now: Instant) -> Work? {
    if let until = pulse?.until, until < now { pulse = nil }
    if let pulse { return .pulse(pulse.report) }
    return detents == begun ? nil : .detents(detents)
  }

  /// The work that was due has begun.
  mutating func began(_ work: Work) {
    switch work {
    case .pulse: pulse = nil
    case .detents(let setting): begun = setting
    }
  }

  /// Detents are impossible: nothing of them is due any more.
  mutating func giveUpDetents() { detents = begun }
}
