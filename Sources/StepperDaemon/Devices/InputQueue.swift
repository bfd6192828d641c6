import StepperCore

/// What devices and the daemon itself have brought about and the engine has not been given yet.
struct InputQueue {
  private var inputs: [(stamp: Instant, input: Input)] = []

  mutating func append(_ input: Input, at stamp: Instant) { inputs.append((stamp, input)) }

  /// Everything, in the order of the time stamps; inputs of equal stamps, and so those of one device, keep their order. A
  /// stamp ahead of `now` is taken as `now`.
  mutating func takeAll(at now: Instant) -> [(time: Instant, input: Input)] {
    guard !inputs.isEmpty else { return [] }
    defer { inputs.removeAll(keepingCapacity: true) }
    let ordered = inputs.enumerated().sorted { first, second in
      (min(first.element.stamp, now), first.offset) < (min(second.element.stamp, now), second.offset)
    }
    return ordered.map { (min($0.element.stamp, now), $0.element.input) }
  }
}
