import StepperCore

/// Inputs of devices, and of the daemon itself, that have not been passed to the engine yet.
struct InputQueue {
  private var inputs: [(stamp: Instant, input: Input)] = []

  mutating func append(_ input: Input, at stamp: Instant) { inputs.append((stamp, input)) }

  /// All inputs, in the order of their time stamps; inputs with equal stamps, and therefore those of one device, keep
  /// their order. A stamp later than `now` is replaced by `now`.
  mutating func takeAll(at now: Instant) -> [(time: Instant, input: Input)] {
    guard !inputs.isEmpty else { return [] }
    defer { inputs.removeAll(keepingCapacity: true) }
    let ordered = inputs.enumerated().sorted { first, second in
      (min(first.element.stamp, now), first.offset) < (min(second.element.stamp, now), second.offset)
    }
    return ordered.map { (min($0.element.stamp, now), $0.element.input) }
  }
}
