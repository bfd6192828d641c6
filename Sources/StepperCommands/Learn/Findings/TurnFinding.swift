internal import StepperCore

/// A knob that was turned.
struct TurnFinding: Hashable, Sendable {
  /// The axis; for a wheel its ordinary axis, even if the high-resolution one moved.
  var input: WatchedInput
  /// The sum of all counts; for a high-resolution wheel in notches.
  var counts: Int64
  /// The counts of one click, at least 1.
  var countsPerDetent: Int
  /// Whether ``countsPerDetent`` follows from the movement. Otherwise the knob may have no clicks.
  var isClear: Bool
  /// Reversals that are too fast for a hand.
  var bounces: Int
  /// Another axis that moved nearly as much.
  var rival: WatchedInput?
  /// Whether the axis reports positions instead of movements, as the jog wheel of a Contour Shuttle does.
  var isCounter: Bool

  /// Whether a turn to the right counts down.
  var isInverted: Bool { counts < 0 }

  /// Whether the knob was turned by about as many clicks as the question asks for.
  var isTenClicks: Bool {
    let clicks = Double(counts.magnitude) / Double(countsPerDetent)
    return isClear && abs(clicks - Double(Threshold.clicks)) <= 2
  }
}

extension Observation {
  /// The axis that was turned, among all that moved; nil if none was turned far enough in one direction.
  var turn: TurnFinding? {
    var candidates = traces.compactMap { input, trace in Turn(input, trace, in: self) }
    candidates.sort { ($0.netFrames, $1.input) > ($1.netFrames, $0.input) }
    guard let best = candidates.first else { return nil }
    let rival = candidates.dropFirst().first {
      Double($0.counts.magnitude) >= Threshold.rivalPart * Double(best.counts.magnitude)
    }
    let detent = best.detent
    return TurnFinding(
      input: best.input, counts: best.counts, countsPerDetent: detent ?? 1, isClear: detent != nil,
      bounces: best.bounces, rival: rival?.input, isCounter: best.isCounter)
  }
}

/// A relative axis that moved in one direction.
private struct Turn {
  let input: WatchedInput
  /// The samples in the axis's own unit. A notch of a wheel is 120 on its high-resolution axis.
  private let samples: [Trace.Sample]
  private let sum: Int64
  private let unit: Int64
  /// The number of frames in the direction of the turn, minus those against it.
  let netFrames: Int

  var counts: Int64 { sum / unit }

  init?(_ input: WatchedInput, _ trace: Trace, in observation: Observation) {
    guard input.usage.isRelative, input.usage == input.usage.coarse else {
      // This is a wheel that reports only its high-resolution axis.
      guard input.usage.isRelative, observation.traces[WatchedInput(input.device, input.usage.coarse)] == nil
      else { return nil }
      self.init(WatchedInput(input.device, input.usage.coarse), trace.samples, unit: 120)
      return
    }
    let fine = input.usage.highResolution.flatMap { observation.traces[WatchedInput(input.device, $0)] }
    self.init(
      input, fine?.samples ?? trace.samples, unit: fine == nil ? observation.detents[input] ?? 1 : 120)
  }

  private init?(_ input: WatchedInput, _ samples: [Trace.Sample], unit: Int64) {
    self.input = input
    self.samples = samples
    self.unit = unit
    sum = samples.reduce(0) { $0 + Int64($1.value) }
    let all = samples.reduce(0) { $0 + Int64($1.value.magnitude) }
    let direction = sum.signum()
    netFrames = samples.reduce(0) { $0 + Int(Int64($1.value).signum() * direction) }
    guard netFrames >= Threshold.turnFrames, Double(sum.magnitude) >= Threshold.consistency * Double(all)
    else {
      return nil
    }
  }

  var bounces: Int {
    zip(samples, samples.dropFirst()).count { former, next in
      former.value.signum() != next.value.signum() && next.time - former.time <= Threshold.encoderBounce
    }
  }

  /// Whether each value is one more than the previous one, or each one less, modulo 256.
  var isCounter: Bool {
    guard samples.count >= Threshold.clickGroups.lowerBound,
      samples.allSatisfy({ (0...255).contains($0.value) })
    else { return false }
    let steps = zip(samples, samples.dropFirst()).map { UInt8(truncatingIfNeeded: $1.value &- $0.value) }
    return steps.allSatisfy { $0 == 1 } || steps.allSatisfy { $0 == 255 }
  }

  /// The counts of a click; nil if they are unclear.
  var detent: Int? { countOfGroups ?? countOfAll }

  /// The most frequent sum of the groups of counts, if there are about as many groups as clicks.
  private var countOfGroups: Int? {
    var groups: [Int64] = []
    var last: Instant?
    for sample in samples {
      if let last, sample.time - last < Threshold.clickGap, let sum = groups.popLast() {
        groups.append(sum + Int64(sample.value))
      } else {
        groups.append(Int64(sample.value))
      }
      last = sample.time
    }
    groups = groups.filter { $0 != 0 }
    guard Threshold.clickGroups.contains(groups.count) else { return nil }
    let common = Dictionary(grouping: groups) { $0.magnitude }.max {
      ($0.value.count, $1.key) < ($1.value.count, $0.key)
    }
    guard let common, Double(common.value.count) >= Threshold.groupShare * Double(groups.count) else {
      return nil
    }
    let count = Int64(clamping: common.key) / unit
    return Threshold.sensibleCounts.contains(count) ? Int(count) : nil
  }

  /// A tenth of all counts, if that is close to a count that devices have.
  private var countOfAll: Int? {
    let tenth = Double(sum.magnitude) / Double(Threshold.clicks * unit)
    let nearest = Threshold.sensibleCounts.min { abs(Double($0) - tenth) < abs(Double($1) - tenth) }
    guard let nearest, abs(Double(nearest) - tenth) <= Threshold.countTolerance * Double(nearest) else {
      return nil
    }
    return Int(nearest)
  }
}
