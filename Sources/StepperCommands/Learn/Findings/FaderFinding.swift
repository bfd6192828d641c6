internal import StepperCore

/// A fader that was moved from end to end and then rested.
struct FaderFinding: Hashable, Sendable {
  var input: WatchedInput
  /// The ends that it reached, without spikes.
  var reached: ClosedRange<Int32>
  /// The ends to calibrate with; nil: those of the driver are right.
  var travel: ClosedRange<Int32>?
  /// The distance between the outermost positions while it rested.
  var noise: Int32
  /// Where it rests, as a part of what it reached: 0…1.
  var rest: Double
  /// Since when it rests.
  var restTime: Instant
  /// How often it went from one end to the other.
  var sweeps: Int
  /// Another axis that moved as far.
  var rival: WatchedInput?

  /// Movements of fewer counts are noise; 0: there is none.
  var hysteresis: Int32 { noise > 0 ? noise + 1 : 0 }

  /// Whether it rests in the middle, as a stick does that has a spring.
  var restsInMiddle: Bool { abs(rest - 0.5) <= Threshold.middlePart }

  /// Of a stick, how far its middle is from the middle of its travel, with the noise: the least dead zone.
  var deadZone: Int32 {
    let ends = travel ?? reached
    let length = Double(Int64(ends.upperBound) - Int64(ends.lowerBound))
    let place =
      Double(reached.lowerBound) + rest * Double(Int64(reached.upperBound) - Int64(reached.lowerBound))
    let middle = (Double(ends.lowerBound) + Double(ends.upperBound)) / 2
    return Int32(
      clamping: Int64((abs(place - middle) + Double(noise) + length * Threshold.marginPart).rounded(.up)))
  }
}

extension Observation {
  /// The axis that was moved from end to end, among all that moved; nil: none was moved far enough. `axes` are the
  /// axes of the devices by name.
  func fader(of devices: [String: WatchedDevice]) -> FaderFinding? {
    let slides = traces.compactMap { input, trace in
      devices[input.device]?.axes[input.usage.code].flatMap { Slide(input, trace, $0) }
    }
    let sorted = slides.sorted { ($0.score, $1.input) > ($1.score, $0.input) }
    guard let best = sorted.first else { return nil }
    var finding = best.finding
    finding.rival = sorted.dropFirst().first { $0.score >= Threshold.rivalPart * best.score }?.input
    return finding
  }
}

/// An absolute axis that was moved.
private struct Slide {
  let input: WatchedInput
  private let samples: [Trace.Sample]
  private let axis: WatchedAxis
  private let low: Int32
  private let high: Int32
  private let sweeps: Int

  private var length: Double { Double(Int64(high) - Int64(low)) }

  /// The part of the driver's travel, for each sweep.
  var score: Double {
    length / max(Double(Int64(axis.maximum) - Int64(axis.minimum)), length) * Double(min(sweeps, 4))
  }

  init?(_ input: WatchedInput, _ trace: Trace, _ axis: WatchedAxis) {
    guard input.usage.isAbsolute, axis.minimum < axis.maximum, trace.samples.count > 2 else { return nil }
    self.input = input
    self.axis = axis
    samples = trace.samples
    let sorted = trace.samples.map(\.value).sorted()
    let spikes = Int(Double(sorted.count) * Threshold.spikePart)
    (low, high) = (sorted[spikes], sorted[sorted.count - 1 - spikes])
    let travel = Double(Int64(axis.maximum) - Int64(axis.minimum))
    let length = Double(Int64(high) - Int64(low))
    sweeps = Self.sweeps(in: samples, low: Double(low), length: length)
    guard length >= Threshold.faderPart * travel, sweeps >= Threshold.sweeps else { return nil }
  }

  private static func sweeps(in samples: [Trace.Sample], low: Double, length: Double) -> Int {
    var isUp: Bool?
    var count = 0
    for sample in samples {
      let place = length > 0 ? (Double(sample.value) - low) / length : 0.5
      guard place <= 0.25 || place >= 0.75 else { continue }
      if let isUp, isUp != (place > 0.5) { count += 1 }
      isUp = place > 0.5
    }
    return count
  }

  var finding: FaderFinding {
    let resting = Trace.resting(samples, within: Int64((length * Threshold.restPart).rounded(.up)))
    // What led to the place of rest is no noise; what goes back and forth there is.
    let rest = Self.withoutApproach(resting.map(\.value))
    let lowest = rest.min() ?? low
    let highest = rest.max() ?? low
    let noise = Int32(clamping: Int64(highest) - Int64(lowest))
    let middle = (Double(lowest) + Double(highest)) / 2
    return FaderFinding(
      input: input, reached: low...high, travel: travel(noise: noise), noise: noise,
      rest: length > 0 ? (middle - Double(low)) / length : 0,
      restTime: resting.first?.time ?? .distantFuture, sweeps: sweeps)
  }

  /// Without the beginning that only leads to the place of rest.
  private static func withoutApproach(_ values: [Int32]) -> [Int32] {
    guard let last = values.last else { return values }
    var start = 0
    while start + 1 < values.count {
      let step = Int64(values[start + 1]) - Int64(values[start])
      let isOnTheWay = step.signum() == (Int64(last) - Int64(values[start])).signum() && step != 0
      guard isOnTheWay else { break }
      start += 1
    }
    return Array(values[start...])
  }

  private func travel(noise: Int32) -> ClosedRange<Int32>? {
    guard low > axis.minimum || high < axis.maximum else { return nil }
    let margin = Int64(max(Double(noise), (length * Threshold.marginPart).rounded(.up)))
    let lower = low > axis.minimum ? Int64(low) + margin : Int64(low)
    let upper = high < axis.maximum ? Int64(high) - margin : Int64(high)
    guard lower < upper else { return nil }
    return Int32(clamping: lower)...Int32(clamping: upper)
  }
}
