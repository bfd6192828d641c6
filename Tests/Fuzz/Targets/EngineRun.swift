import StepperCore

/// Runs a recording and holds the engine to what it promises, after every input.
struct EngineRun {
  private var engine: Engine
  private var recording: Recording
  private let configurations: [EngineConfiguration]
  private var sequence: Int64 = 0
  private var published: Instant
  /// Controls whose values may be outside their range until they are set, because it was changed like that.
  private var loose: Set<String> = []
  /// All that was ordered.
  private var effects: [Effect] = []

  private static let start = Instant(nanoseconds: 1_000_000_000)
  /// No input may order more than so much, beside what time has to catch up with.
  private static let mostEffects = 200
  /// So many collections' elements may an engine hold for every binding and device.
  private static let mostElements = 4_000

  init(_ configurations: [EngineConfiguration], _ source: ByteSource) {
    self.configurations = configurations
    engine = Engine(configurations[0], at: Self.start)
    recording = Recording(source, of: configurations, at: Self.start)
    published = Self.start
  }

  /// Throws a ``Finding``.
  static func check(_ configurations: [EngineConfiguration], _ source: ByteSource) throws {
    var run = EngineRun(configurations, source)
    try run.play()
    try run.checkReplay()
    try run.checkRest()
  }

  private mutating func play() throws {
    try advance(to: Self.start, .deviceAdded(DeviceNumber(0), .virtual(settingsName: "panel")))
    while let (time, input) = recording.next(deadline: engine.deadline) { try advance(to: time, input) }
  }

  private mutating func advance(to time: Instant, _ input: Input) throws {
    let fired = engine.advance(to: time)
    // Before another configuration gives the identifiers of controls another meaning.
    try check(fired, after: input)
    let ordered = engine.advance(to: time, applying: input)
    // Of a control that there is not, the refusal.
    try require(
      ordered.count <= Self.mostEffects * engine.ids.count + 1, "\(input) orders \(ordered.count) effects")
    try note(input, ordered)
    try check(ordered, after: input)
    effects += fired + ordered
  }

  private mutating func note(_ input: Input, _ ordered: [Effect]) throws {
    switch input {
    case .configured: loose = []
    case .adjust(let id, _) where ordered.contains(.adjusted(id)):
      if let settings = engine.adjustedSettings(of: id), settings.feel.rangeChange != .clamp {
        loose.insert(settings.name)
      }
    default: break
    }
  }

  private mutating func check(_ effects: [Effect], after input: Input) throws {
    if let deadline = engine.deadline {
      try require(deadline >= engine.now, "a deadline of the past is left after \(input)")
    }
    for effect in effects {
      switch effect {
      case .publish(let state):
        try require(state.sequence > sequence, "the sequence number does not grow after \(input)")
        try require(
          state.time >= published && state.time <= engine.now, "a change of another time after \(input)")
        (sequence, published) = (state.sequence, state.time)
      case .feedback(let feedback):
        try require(
          feedback.time <= engine.now && engine[feedback.control] != nil,
          "\(input) orders a moment of no control or of the future: \(feedback), now \(engine.now)")
      case .applied(_, let steps):
        guard case .step(_, let asked, _) = input else { throw Finding("steps were applied by \(input)") }
        try require(
          steps.magnitude <= asked.magnitude && steps.signum() * asked.signum() >= 0,
          "\(steps) of \(asked) steps were applied")
      case .refuse, .adjusted, .becameIdle, .becameActive: break
      }
    }
    try require(engine.sequence >= sequence, "the newest change has a greater number than all of them")
    for id in engine.ids { try check(id, after: input) }
  }

  private func check(_ id: ControlID, after input: Input) throws {
    guard let settings = engine.adjustedSettings(of: id), let state = engine[id] else {
      throw Finding("the engine does not know \(id), which it names")
    }
    var name: String { "\(settings.name) after \(input)" }
    guard let value = state.value else {
      try require(settings.textRules.canBeUnset || settings.initialValue == nil, "unset: \(name)")
      return
    }
    _ = settings.text(of: value)
    guard settings.feel.bounds == .enforced, !loose.contains(settings.name) else { return }
    let (minimum, maximum) = (settings.minimumValue, settings.maximumValue)
    if let minimum, let maximum, minimum > maximum {
      try require(settings.feel.rangeConflict == .valueIsMinimum, "the range is inverted: \(name)")
      try require(value == minimum, "\(value) is not the minimum \(minimum): \(name)")
      return
    }
    try require(minimum.map { $0 <= value } ?? true, "\(value) is below \(minimum ?? 0): \(name)")
    try require(maximum.map { value <= $0 } ?? true, "\(value) is above \(maximum ?? 0): \(name)")
    if settings.kind != .continuous {
      try require(value.normalized.digits == 0, "\(value) has no name: \(name)")
    }
  }

  /// Extra wakeups change nothing, and a replay is equal.
  private func checkReplay() throws {
    var other = Engine(configurations[0], at: Self.start)
    var seen = other.advance(
      to: Self.start, applying: .deviceAdded(DeviceNumber(0), .virtual(settingsName: "panel")))
    for (time, input) in recording.inputs {
      let pause = time.nanoseconds - other.now.nanoseconds
      for part in [Int64(3), 2] where pause > 0 {
        seen += other.advance(to: Instant(nanoseconds: time.nanoseconds - pause / part))
      }
      seen += other.advance(to: time, applying: input)
    }
    try require(seen == effects, "a replay with extra wakeups orders something else")
    try require(other == engine, "a replay with extra wakeups ends elsewhere")
    // Counting takes longer than all the rest, and what grows without limit has grown by then.
    guard recording.inputs.count >= Recording.longest else { return }
    let elements = elementCount(of: engine)
    let most = Self.mostElements * (engine.ids.count + 3)
    try require(elements <= most, "the engine has grown to \(elements) elements")
  }

  /// More than all controls have in sequence: the end of a gesture, the decision of a press, and idleness.
  private static let mostDeadlinesToRest = 100

  /// When nobody holds anything any more, it comes to rest.
  private mutating func checkRest() throws {
    try advance(to: recording.time, .everythingReleased)
    for device in 0..<3 { try advance(to: recording.time, .deviceRemoved(DeviceNumber(device))) }
    // Gestures end, and then what is idle. A deadline may be far away: skipped time does not count.
    for _ in 0..<Self.mostDeadlinesToRest {
      guard let deadline = engine.deadline, deadline < .distantFuture else { return }
      try check(engine.advance(to: deadline), after: .everythingReleased)
    }
    try require(engine.deadline == nil, "a deadline is left when nothing is held")
    for state in engine.ids.compactMap({ engine[$0] }) {
      try require(
        !state.isEditing && !state.isPressed && !state.isLive, "\(state.control) does not come to rest")
    }
  }
}

/// How many elements the collections in `value` have, and those within them.
private func elementCount(of value: Any) -> Int {
  let mirror = Mirror(reflecting: value)
  return mirror.children.reduce(mirror.displayStyle == nil ? 0 : mirror.children.count) {
    $0 + elementCount(of: $1.value)
  }
}
