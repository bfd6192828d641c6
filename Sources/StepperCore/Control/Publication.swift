/// What was published of a control last, and what is to be published next.
struct Publication: Hashable, Sendable {
  private(set) var state: ControlState
  /// Whether the next state is published even if it equals the last one.
  private var isForced = false

  init(_ state: ControlState) { self.state = state }

  mutating func force() { isForced = true }

  mutating func rename(to control: ControlID) { state.control = control }

  /// The state to be published, if `next` differs from the last one. While `isWaiting` for the end of a gesture, a
  /// forced publication stays pending.
  mutating func take(_ next: ControlState, isWaiting: Bool, sequence: Int64, at now: Instant)
    -> ControlState?
  {
    guard next != state || isForced && !isWaiting else { return nil }
    if !isWaiting { isForced = false }
    state = next
    state.sequence = sequence
    state.time = now
    return state
  }
}
