import StepperCore

/// Inputs of devices, and of the daemon itself, that have not been passed to the engine yet.
struct InputQueue {
  private var inputs: [(stamp: Instant, input: Input)] = []
  /// The number of inputs that ``next(notAfter:)`` has returned.
  private var taken = 0

  var count: Int { inputs.count - taken }

  mutating func append(_ input: Input, at stamp: Instant) { inputs.append((stamp, input)) }

  /// Puts all inputs into the order of their time stamps; inputs with equal stamps, and therefore those of one device,
  /// keep their order.
  mutating func sort() {
    guard count > 1 else { return }
    let waiting = inputs[taken...]
    guard zip(waiting, waiting.dropFirst()).contains(where: { $0.stamp > $1.stamp }) else { return }
    let ordered = waiting.enumerated().sorted { first, second in
      (first.element.stamp, first.offset) < (second.element.stamp, second.offset)
    }
    inputs.replaceSubrange(taken..., with: ordered.map(\.element))
  }

  /// The next input; nil after the last one. A stamp later than `now` is replaced by `now`.
  mutating func next(notAfter now: Instant) -> (time: Instant, input: Input)? {
    guard taken < inputs.count else {
      inputs.removeAll(keepingCapacity: true)
      taken = 0
      return nil
    }
    defer { taken += 1 }
    return (min(inputs[taken].stamp, now), inputs[taken].input)
  }
}
