internal import StepperCore
internal import StepperText

/// A fader that was moved from end to end and then rested.
struct FaderFinding: Hashable, Sendable {
  var input: WatchedInput
  /// The ends that it reached, without spikes.
  var reached: ClosedRange<Int32>
  /// The ends for calibration; nil if those of the driver are right.
  var travel: ClosedRange<Int32>?
  /// The distance between the outermost positions while the fader rested.
  var noise: Int32
  /// The position at rest, from 0 to 1 of the range that the fader reached.
  var rest: Double
  /// The time at which the fader came to rest.
  var restTime: Instant
  /// The number of movements from one end to the other.
  var sweeps: Int
  /// Another axis that moved as far.
  var rival: WatchedInput?

  /// The hysteresis: movements of fewer counts are noise. 0 without noise.
  var hysteresis: Int32 { noise > 0 ? noise + 1 : 0 }

  /// Whether the fader rests in the middle, like a stick with a spring.
  var restsInMiddle: Bool { abs(rest - 0.5) <= Threshold.middlePart }

  /// The minimum dead zone of a stick: the distance of its resting position from the middle of its travel, plus the
  /// noise.
  var deadZone: Int32 {
    let ends = travel ?? reached
    let place = Double(reached.lowerBound) + rest * reached.length
    let middle = (Double(ends.lowerBound) + Double(ends.upperBound)) / 2
    return Int32(
      clamping: Int64((abs(place - middle) + Double(noise) + ends.length * Threshold.marginPart).rounded(.up))
    )
  }
}

extension Observation {
  /// The axis that was moved from end to end, among all that moved; nil if none was moved far enough. `devices` has the
  /// devices by name.
  func fader(of devices: [String: RecordedDevice]) -> FaderFinding? {
    let slides = traces.compactMap { input, trace in
      devices[input.device]?.travel(of: input.usage).flatMap { Slide(input, trace, $0) }
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
  /// The travel that the driver reports.
  private let driven: ClosedRange<Int32>
  /// The ends that it reached, without spikes.
  private let reached: ClosedRange<Int32>
  private let sweeps: Int

  /// The part of the driver's travel that was reached, multiplied by the number of sweeps.
  var score: Double { reached.length / max(driven.length, reached.length) * Double(min(sweeps, 4)) }

  init?(_ input: WatchedInput, _ trace: Trace, _ driven: ClosedRange<Int32>) {
    guard trace.samples.count > 2 else { return nil }
    self.input = input
    self.driven = driven
    samples = trace.samples
    let sorted = trace.samples.map(\.value).sorted()
    let spikes = Int(Double(sorted.count) * Threshold.spikePart)
    reached = sorted[spikes]...sorted[sorted.count - 1 - spikes]
    sweeps = Self.sweeps(in: samples, reached)
    guard reached.length >= Threshold.faderPart * driven.length, sweeps >= Threshold.sweeps else {
      return nil
    }
  }

  private static func sweeps(in samples: [Trace.Sample], _ reached: ClosedRange<Int32>) -> Int {
    var isUp: Bool?
    var count = 0
    for sample in samples {
      let isMoved = reached.length > 0
      let place = isMoved ? (Double(sample.value) - Double(reached.lowerBound)) / reached.length : 0.5
      guard place <= 0.25 || place >= 0.75 else { continue }
      if let isUp, isUp != (place > 0.5) { count += 1 }
      isUp = place > 0.5
    }
    return count
  }

  var finding: FaderFinding {
    let (low, length) = (reached.lowerBound, reached.length)
    let resting = Trace.resting(samples, within: Int64((length * Threshold.restPart).rounded(.up)))
    // The movement towards the resting position is not noise.
    let rest = Self.withoutApproach(resting.map(\.value))
    let lowest = rest.min() ?? low
    let highest = rest.max() ?? low
    let noise = Int32(clamping: Int64(highest) - Int64(lowest))
    let middle = (Double(lowest) + Double(highest)) / 2
    return FaderFinding(
      input: input, reached: reached, travel: travel(noise: noise), noise: noise,
      rest: length > 0 ? (middle - Double(low)) / length : 0,
      restTime: resting.first?.time ?? .distantFuture, sweeps: sweeps)
  }

  /// The values without those of the movement towards the resting position.
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
    let (low, high) = (reached.lowerBound, reached.upperBound)
    guard low > driven.lowerBound || high < driven.upperBound else { return nil }
    let margin = Int64(max(Double(noise), (reached.length * Threshold.marginPart).rounded(.up)))
    let lower = low > driven.lowerBound ? Int64(low) + margin : Int64(low)
    let upper = high < driven.upperBound ? Int64(high) - margin : Int64(high)
    guard lower < upper else { return nil }
    return Int32(clamping: lower)...Int32(clamping: upper)
  }
}
