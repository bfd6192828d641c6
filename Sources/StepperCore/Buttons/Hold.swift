/// A button that is being held.
struct Hold: Hashable, Sendable {
  let source: HoldSource
  let step: StepBinding
  /// nil: it does not repeat.
  var autorepeat: Autorepeat?
  /// It has reached an end and does nothing more, but is not released yet.
  var isSpent = false
  /// Nobody can release it any more.
  var isOrphan = false
  private(set) var hasRepeated = false
  /// Steps so far, and by how many growths of the climb they have grown.
  private var steps: Int64 = 0
  private var stepsOfLevel: Int64 = 0
  private var growths: Int64 = 0

  init(_ source: HoldSource, _ step: StepBinding, autorepeat: Autorepeat?) {
    self.source = source
    self.step = step
    self.autorepeat = autorepeat
  }

  var deadline: Instant? { isSpent ? nil : autorepeat?.deadline }

  /// The repeat that was due happens.
  mutating func fire() {
    autorepeat?.fire()
    hasRepeated = true
  }

  /// The size of the next step in units of `range`, which counts for the climb from then on.
  ///
  /// GtkSpinButton: each step that counts is made with the present size, and every `every` of them it grows
  /// by the rate while it is less than a page, which the last growth may pass.
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

  /// Its steps are small again; what counts towards the next growth stays counted (GTK, when the adjustment
  /// changes).
  mutating func forgetGrowth() { growths = 0 }
}

/// A button of a device that something may be held with.
package struct HoldSource: Hashable, Sendable {
  var device: DeviceNumber
  var usage: EvdevUsage
}
