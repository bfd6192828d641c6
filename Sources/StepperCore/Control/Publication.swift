/// The state of a control that was published last, and whether the next one must be published.
struct Publication: Hashable, Sendable {
  private(set) var state: ControlState
  /// Whether the next state is published even if it equals the last one.
  private var isForced = false

  init(_ state: ControlState) { self.state = state }

  mutating func force() { isForced = true }

  mutating func rename(to control: ControlID) { state.control = control }

  /// The state to publish, if `next` differs from the last one or publication is forced. While `isWaiting` for the
  /// end of a gesture, a forced publication stays pending.
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
