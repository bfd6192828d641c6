/// A button that is held to step a control.
struct ButtonHold: Hashable, Sendable {
  let source: InputSource
  let step: StepBinding
  /// nil: it does not repeat.
  private var autorepeat: Autorepeat?
  /// Whether the hold has reached an end and does nothing more until it is released.
  private(set) var isSpent = false
  /// Whether the release cannot be read any more: the device is gone, or the binding.
  private(set) var isOrphan = false
  private(set) var hasRepeated = false
  /// Steps so far, steps since the last growth of the climb, and the number of growths.
  private var steps: Int64 = 0
  private var stepsOfLevel: Int64 = 0
  private var growths: Int64 = 0

  init(_ source: InputSource, _ step: StepBinding, _ feel: Feel, at now: Instant) {
    self.source = source
    self.step = step
    guard feel.autorepeat, step.unit != .limit else { return }
    autorepeat = Autorepeat(feel.repeatSchedule, pressedAt: now)
  }

  // MARK: Steps

  func stepsAtPress(_ feel: Feel) -> Bool {
    if step.unit == .limit { return feel.limitStep == .press }
    return autorepeat == nil ? feel.singleStep == .press : feel.firstStep == .press
  }

  func stepsAtRelease(_ feel: Feel) -> Bool {
    !isSpent && !stepsAtPress(feel) && !(hasRepeated && feel.firstStep == .tap)
  }

  /// The size of the next step in units of `range`; the step counts for the climb from then on.
  ///
  /// GtkSpinButton: each step that counts is made with the present size. After every `every` such steps the size
  /// grows by the rate, as long as it is less than a page; the last growth may pass the page.
  mutating func nextSize(_ climb: Climb, in range: ValueRange) -> Int64 {
    guard step.unit == .step else { return range.page }
    let rate = range.units(of: climb.rate)
    let (growth, overflow) = rate.multipliedReportingOverflow(by: growths)
    let size = overflow ? ValueRange.largestMagnitude : min(range.step + growth, ValueRange.largestMagnitude)
    steps += 1
    if steps > Int64(climb.after), rate > 0, size < range.page {
      stepsOfLevel += 1
      if stepsOfLevel >= Int64(climb.every) { (stepsOfLevel, growths) = (0, growths + 1) }
    }
    return size
  }

  /// Makes the steps small again; the steps counted towards the next growth stay counted (GTK, when the adjustment
  /// changes).
  mutating func forgetGrowth() { growths = 0 }

  // MARK: Time and ends

  var deadline: Instant? { isSpent ? nil : autorepeat?.deadline }

  /// Notes that the repeat that was due happens.
  mutating func fire() {
    autorepeat?.fire()
    hasRepeated = true
  }

  mutating func skip(_ duration: Duration) { autorepeat?.skip(duration) }

  mutating func stopRepeating() { autorepeat = nil }

  mutating func setSpent(_ isSpent: Bool) { self.isSpent = isSpent }

  mutating func abandon() { isOrphan = true }
}
