/// A named, bounded value and what is being done to it right now.
package struct Control: Hashable, Sendable {
  package internal(set) var settings: ControlSettings
  var range: ValueRange
  var stepping: Stepping
  /// In units of the range; nil: unset.
  var value: Int64?
  var origin = Origin.startup
  var turned: Int64 = 0
  var presses: Int64 = 0
  /// In the order of their presses.
  var holds: [Hold] = []
  var push = PushRecognizer()
  /// Buttons whose press was felt, and whose release was not yet.
  var pressed: [HoldSource] = []
  /// Whether a detent is a page instead of a step.
  var isPaging = false
  /// When a turn counts as ended.
  var turnEnds: Instant?
  /// Where each fader stood last.
  var faders: [HoldSource: AbsoluteAxis.Position] = [:]
  var isLive = false
  /// Whether the present state is to be published even if it is the last one.
  var isToBeToldAgain = false
  /// Who moves it just now; nil: no device.
  var cause: Cause?
  /// What is to be felt and was not told yet.
  var felt: [Felt] = []
  /// What everyone was told last.
  package internal(set) var published: ControlState

  /// A turn has ended when the knob has rested this long.
  static let turnIdleTime = Duration.milliseconds(300)

  init(_ settings: ControlSettings, id: ControlID, sequence: Int64, at now: Instant) {
    self.settings = settings.onGrid
    range = ValueRange(self.settings)
    stepping = Stepping(settings.feel, in: range)
    published = ControlState(
      control: id, limit: .none, origin: .startup, sequence: sequence, time: now)
    value = settings.initialValue.map { allowed(range.units(of: $0)) }
    if settings.feel.snapping == .always { value = value.map(range.snapped) }
    readLevels(into: &published)
  }

  // MARK: What is to be told

  /// The state as it is now, if it differs from what everyone was told. Where changes wait for the end of a
  /// gesture, it is told with the former value while `waiting`.
  mutating func publish(sequence: Int64, at now: Instant, waiting: Bool = true) -> ControlState? {
    var state = published
    state.isLive = isLive
    state.presses = presses
    state.isPressed = push.source != nil
    state.isEditing = isInGesture
    let waits = waiting && !settings.feel.isContinuous && isInGesture
    if !waits { readLevels(into: &state) }
    if published.isEditing, !state.isEditing { feel(.end) }
    guard state != published || isToBeToldAgain && !waits else { return nil }
    if !waits { isToBeToldAgain = false }
    state.sequence = sequence
    state.time = now
    published = state
    return state
  }

  /// The value and what follows from it.
  private func readLevels(into state: inout ControlState) {
    state.value = value.map(range.number)
    state.limit = value.map(range.limit) ?? .none
    state.origin = origin
    state.turned = turned
    state.canIncrement = canMove(.increment)
    state.canDecrement = canMove(.decrement)
  }

  /// Whether a press in that direction is one at all.
  func canMove(_ direction: Direction) -> Bool {
    guard let value, settings.kind != .button else { return false }
    return settings.feel.limitButtons == .live || stepping.canMove(value, direction)
  }

  private var isInGesture: Bool { !holds.isEmpty || turnEnds != nil }

  // MARK: Time

  /// When time alone changes something.
  var deadline: Instant? {
    var due = turnEnds
    for time in holds.lazy.map(\.deadline) + CollectionOfOne(push.deadline) {
      if let time { due = due.map { min($0, time) } ?? time }
    }
    return due
  }

  /// What is due at `instant` happens. Returns how many holds repeated.
  mutating func fire(at instant: Instant) -> Int64 {
    let repeating = holds.filter { $0.deadline == instant }.map(\.source)
    for source in repeating { repeatStep(of: source) }
    if push.deadline == instant {
      cause = push.source.map { Cause(device: $0.device) }
      feel(.longPress)
      perform(push.fire())
    }
    if turnEnds == instant { turnEnds = nil }
    return Int64(repeating.count)
  }

  mutating func skip(_ duration: Duration) {
    for index in holds.indices { holds[index].autorepeat?.skip(duration) }
    push.skip(duration)
    turnEnds = turnEnds.map { $0 + duration }
  }
}
