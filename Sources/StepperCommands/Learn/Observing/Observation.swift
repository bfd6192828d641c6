internal import StepperCore
internal import StepperText

/// What devices report while the user moves something: the latest samples of each input, in limited memory.
struct Observation: Sendable {
  private(set) var traces: [WatchedInput: Trace] = [:]
  private(set) var frameCount = 0
  /// The counts per detent, where the program that attached the device specified them.
  private(set) var detents: [WatchedInput: Int64] = [:]

  init(_ devices: [String: RecordedDevice] = [:]) {
    for (name, device) in devices {
      for (code, counts) in device.countsPerDetent {
        detents[WatchedInput(name, .relative(code))] = Int64(counts)
      }
    }
  }

  mutating func add(_ frame: WatchedFrame) {
    frameCount += 1
    var sums: [EvdevUsage: Int32] = [:]
    for event in frame.events {
      // Several events of a wheel in one frame are one movement. Events of keys and absolute axes count individually.
      guard event.usage.isRelative else {
        note(event.value, of: WatchedInput(frame.device, event.usage), at: frame.time)
        continue
      }
      let (sum, overflow) = sums[event.usage, default: 0].addingReportingOverflow(event.value)
      sums[event.usage] = overflow ? event.value : sum
    }
    for (usage, sum) in sums where sum != 0 {
      note(sum, of: WatchedInput(frame.device, usage), at: frame.time)
    }
  }

  /// Discards the samples of a device that was unplugged.
  mutating func remove(_ device: String) {
    traces = traces.filter { $0.key.device != device }
  }

  private mutating func note(_ value: Int32, of input: WatchedInput, at time: Instant) {
    guard input.usage.isKey || input.usage.isRelative || input.usage.isAbsolute else { return }
    guard traces[input] != nil || traces.count < LearningLimit.inputs else { return }
    traces[input, default: Trace()].add(Trace.Sample(time: time, value: value))
  }

  /// The time of the last sample of an input.
  func lastTime(of input: WatchedInput) -> Instant? {
    let fine = input.usage.highResolution.map { WatchedInput(input.device, $0) }
    return [input, fine].compactMap { $0.flatMap { traces[$0]?.samples.last?.time } }.max()
  }
}

/// Positions of absolute axes.
extension Observation {
  /// A position at which an axis stays, and the range that it reached before.
  struct Rest: Hashable, Sendable {
    var value: Int32
    var since: Instant
    var lowest: Int32
    var highest: Int32
  }

  /// The resting position of an axis whose range is `travel`; nil if the axis reported nothing.
  func rest(of input: WatchedInput, within travel: ClosedRange<Int32>) -> Rest? {
    guard let samples = traces[input]?.samples, let last = samples.last else { return nil }
    let resting = Trace.resting(samples, within: Int64((travel.length * Threshold.restPart).rounded(.up)))
    let values = samples.map(\.value)
    return Rest(
      value: last.value, since: resting.first?.time ?? last.time, lowest: values.min() ?? last.value,
      highest: values.max() ?? last.value)
  }

  /// The axis that moved furthest, with its position in the driver's travel, 0…1.
  func liveliest(
    of devices: [String: RecordedDevice]
  ) -> (input: WatchedInput, value: Int32, position: Double)? {
    let moved = traces.compactMap {
      input, trace -> (input: WatchedInput, value: Int32, position: Double, part: Double)? in
      guard let travel = devices[input.device]?.travel(of: input.usage), let last = trace.samples.last else {
        return nil
      }
      let values = trace.samples.map { Double($0.value) }
      let part = ((values.max() ?? 0) - (values.min() ?? 0)) / travel.length
      return (input, last.value, (Double(last.value) - Double(travel.lowerBound)) / travel.length, part)
    }
    return moved.max { ($0.part, $1.input) < ($1.part, $0.input) }.map { ($0.input, $0.value, $0.position) }
  }
}

/// The samples of one input.
struct Trace: Sendable {
  struct Sample: Hashable, Sendable {
    var time: Instant
    var value: Int32
  }

  private(set) var samples: [Sample] = []

  /// If there are too many samples, the older half is discarded.
  mutating func add(_ sample: Sample) {
    if samples.count >= LearningLimit.samples { samples.removeFirst(LearningLimit.samples / 2) }
    samples.append(sample)
  }

  /// The last samples whose values are no further apart than `span`.
  static func resting(_ samples: [Sample], within span: Int64) -> ArraySlice<Sample> {
    guard let last = samples.last else { return [] }
    var (lowest, highest) = (last.value, last.value)
    var start = samples.count
    for (index, sample) in samples.enumerated().reversed() {
      (lowest, highest) = (min(lowest, sample.value), max(highest, sample.value))
      guard Int64(highest) - Int64(lowest) <= span else { break }
      start = index
    }
    return samples[start...]
  }
}

/// Limits of an ``Observation``.
enum LearningLimit {
  /// Inputs of all devices together: more than any panel has.
  static let inputs = 1_024
  /// Samples of one input: four sweeps of a fader with 1000 positions.
  static let samples = 4_096
}
