/// How many steps a detent is worth when a knob is turned fast.
///
/// `gain = 1 + (maximumGain − 1) · clamp((speed − slow) / (fast − slow), 0, 1)`, with the speed smoothed
/// over the last detents. The first detent after a pause or a reversal is always one step; a control with
/// fewer than about a hundred steps is never accelerated.
package struct AccelerationCurve: Hashable, Sendable {
  /// Steps per detent at and above `fast`; 1 or more.
  package var maximumGain: Double
  /// Detents per second up to which a detent is one step.
  package var slow: Double
  /// Detents per second from which `maximumGain` applies.
  package var fast: Double

  package init(maximumGain: Double = 5, slow: Double = 8, fast: Double = 40) {
    self.maximumGain = max(maximumGain, 1)
    self.slow = max(slow, 0)
    self.fast = max(fast, self.slow)
  }

  /// Steps per detent at `speed` detents per second.
  package func gain(at speed: Double) -> Double {
    guard speed > slow else { return 1 }
    guard speed < fast else { return maximumGain }
    return 1 + (maximumGain - 1) * (speed - slow) / (fast - slow)
  }
}
