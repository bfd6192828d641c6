package import StepperCore

/// An engine in virtual time. As in the daemon, every deadline before an input is a separate wakeup.
package struct VirtualTime {
  package private(set) var engine: Engine
  /// The next periodic wakeup, at which nothing needs to be due.
  private var extraWakeup: Instant?
  private var names: ControlNames

  /// An input or deadline, and the effects that the engine returned.
  package struct Step: Hashable, Sendable {
    package var time: Instant
    /// The input in the notation; empty for a deadline.
    package var input: String
    package var effects: [Effect]
    /// The names of the controls at that time.
    package var names: ControlNames

    /// The step as a line: `500ms press plus -> publish 31 editing`. Without `hasMoments` the moments of feedback are
    /// left out. nil if nothing is left to show.
    package func line(hasMoments: Bool) -> String? {
      let effects =
        hasMoments ? effects : effects.filter { if case .feedback = $0 { false } else { true } }
      guard !(input.isEmpty && effects.isEmpty) else { return nil }
      return Words.line(TimeText.text(time), input, "->", EffectText(names).text(effects))
    }
  }

  package init(
    _ configuration: EngineConfiguration, sequence: Int64 = 0, at start: Instant = .milliseconds(0)
  ) {
    engine = Engine(configuration, sequence: sequence, at: start)
    names = ControlNames(of: engine)
  }

  /// Wakes up for every deadline up to `time`, and also every `period`. Throws after more than
  /// ``RecordingLimit/wakeups`` wakeups.
  package mutating func wake(
    until time: Instant, every period: Duration? = nil, _ body: (Step) -> Void
  ) throws(NotationError) {
    if let period, extraWakeup == nil { extraWakeup = engine.now + period }
    var count = 0
    while let next = Instant.earliest(engine.deadline, extraWakeup), next <= time {
      count += 1
      guard count <= RecordingLimit.wakeups else {
        throw NotationError(
          "more than \(RecordingLimit.wakeups) deadlines would pass before it; is a button held for very long?"
        )
      }
      body(step(next, "", nil))
      if let period, next == extraWakeup { extraWakeup = next + period }
    }
  }

  /// Applies `input`, which is `text` in the notation.
  package mutating func step(_ time: Instant, _ text: String, _ input: Input?) -> Step {
    let effects = engine.advance(to: time, applying: input)
    if case .configured = input { names = ControlNames(of: engine) }
    return Step(time: time, input: text, effects: effects, names: names)
  }
}
