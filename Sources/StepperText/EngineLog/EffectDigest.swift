package import StepperCore

/// A hash of effects.
package struct EffectDigest {
  private var fingerprint = Fingerprint()

  package static func text(_ effects: ArraySlice<Effect>) -> String {
    var digest = EffectDigest()
    for effect in effects { digest.add(effect) }
    return digest.fingerprint.text
  }

  // MARK: Effects

  private mutating func add(_ effect: Effect) {
    switch effect {
    case .publish(let state):
      add(0)
      add(state)
    case .refuse(let id, let refusal):
      add(1)
      add(id)
      add(refusal)
    case .applied(let id, let steps):
      add(2)
      add(id)
      add(steps)
    case .adjusted(let id):
      add(3)
      add(id)
    case .feedback(let feedback):
      add(4)
      add(feedback.control)
      add(feedback.moment.rawValue)
      add(feedback.device.map { Int64($0.rawValue) })
      add(feedback.effect?.rawValue ?? "")
      add(feedback.time.nanoseconds)
      // Logs that were written before such holds existed keep their digests.
      if let hold = feedback.hold { add(hold.rawValue) }
    case .becameIdle: add(5)
    case .becameActive(let device):
      add(6)
      add(device.map { Int64($0.rawValue) })
    }
  }

  private mutating func add(_ state: ControlState) {
    add(state.control)
    add(state.value)
    let limit: Int64 =
      switch state.limit {
      case .none: 0
      case .minimum: 1
      case .maximum: 2
      case .both: 3
      }
    add(limit)
    add("\(state.origin)")
    let flags = [state.isLive, state.isPressed, state.isEditing, state.canIncrement, state.canDecrement]
    for flag in flags { add(flag ? 1 : 0) }
    for number in [state.turned, state.presses, state.sequence, state.time.nanoseconds] { add(number) }
    if state.editing == .client { add("client") }
  }

  private mutating func add(_ refusal: Effect.Refusal) {
    switch refusal {
    case .outOfRange(let value):
      add(0)
      add(value)
    case .changed(let sequence):
      add(1)
      add(sequence)
    case .invalidRange(let adjustment):
      add(2)
      for key in AdjustmentKey.all { add(adjustment[keyPath: key.path]) }
    case .unset: add(3)
    case .unknownControl: add(4)
    }
  }

  // MARK: Values

  private mutating func add(_ id: ControlID) {
    add(Int64(id.index))
    add(Int64(bitPattern: id.generation))
  }

  private mutating func add(_ value: FixedPoint?) {
    guard let value = value?.normalized else { return add(0) }
    add(Int64(value.digits) + 1)
    add(value.units)
  }

  private mutating func add(_ number: Int64?) {
    add(number == nil ? 0 : 1)
    add(number ?? 0)
  }

  private mutating func add(_ text: String) {
    add(Int64(text.utf8.count))
    fingerprint.add(text.utf8)
  }

  private mutating func add(_ number: Int64) {
    for shift in stride(from: 0, to: 64, by: 8) {
      fingerprint.add(UInt8(truncatingIfNeeded: number >> Int64(shift)))
    }
  }
}
