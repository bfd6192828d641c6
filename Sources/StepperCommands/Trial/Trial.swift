internal import StepperConfiguration
internal import StepperCore
internal import StepperText

/// A control with a profile, moved in virtual time without a daemon.
struct Trial {
  /// A sequence of inputs, and the changes that it caused.
  struct Gesture {
    var name: String
    var start: Instant
    /// The value at the beginning, as text; nil if unset.
    var before: String?
    var events: [Event] = []

    var after: String? { events.last { $0.isChange }?.text ?? before }
    var changes: Int { events.count { $0.isChange } }
  }

  /// An input or a change. `time` counts from the beginning of the gesture.
  struct Event {
    var time: Duration
    /// The input; nil if a timer caused the change.
    var action: String?
    /// The value afterwards, as text; nil if unset.
    var text: String?
    var isChange: Bool
  }

  private var engine: Engine
  /// The present or last gesture.
  private var gesture = Gesture(name: "", start: .milliseconds(0))
  private let settings: ControlSettings
  private let panel = DeviceNumber(0)
  private let control = ControlID(0, generation: 0)

  /// `options` override those of the profile. Throws if options are invalid or exclude each other.
  init(_ profile: Profile, options: [TrialOption], known: [Profile]) throws(CommandFailure) {
    try Self.check(options)
    let kind =
      options.last { $0.key == "kind" }?.line.dropFirst("kind = ".count) ?? profile.value(of: .kind)[...]
    let hasNames = kind != "\"choice\"" || options.contains { $0.key == "choices" }
    let isPressed = ["\"toggle\"", "\"button\""].contains(kind)
    let inputs = isPressed ? ["push = \"panel:push\""] : Self.panelInputs
    let head = """
      [device.panel]
      virtual = true
      [control.try]
      profile = "\(profile.name)"

      """
    let lines = options.map(\.line) + (hasNames ? [] : [Self.months]) + inputs
    let (configuration, problems) = Configuration.load(
      Array((head + lines.joined(separator: "\n")).utf8), file: "--option", known: known)
    guard let configuration, let settings = configuration.controls.first?.settings else {
      let firstLine = head.count { $0 == "\n" } + 1
      let errors = problems.filter { $0.severity == .error }.map { problem in
        let meant = problem.suggestion.map { " (did you mean \"\($0)\"?)" } ?? ""
        let index = (problem.line ?? 0) - firstLine
        let subject =
          options.indices.contains(index)
          ? "--option \(options[index].key)"
          : problem.keyPath.hasPrefix("profile.") ? problem.keyPath : "profile '\(profile.name)'"
        return "\(subject): \(problem.message)\(meant)"
      }
      throw CommandFailure(
        lines: errors, code: options.isEmpty ? .configuration : .usage)
    }
    self.settings = settings
    engine = Engine(EngineConfiguration(configuration), at: .milliseconds(0))
    _ = engine.advance(
      to: .milliseconds(0), applying: .deviceAdded(panel, .virtual(settingsName: "panel")))
  }

  private static let panelInputs = [
    "increment = \"panel:plus\"", "decrement = \"panel:minus\"", "rotate = \"panel:dial\"",
  ]

  /// Throws for options that the trial sets itself, and for options that are given twice.
  private static func check(_ options: [TrialOption]) throws(CommandFailure) {
    var keys: Set<String> = []
    for key in options.map(\.key) {
      let problem: String? =
        switch key {
        case "profile": "is set with --profile"
        case "increment", "decrement", "rotate", "push": "the control has its buttons and its knob already"
        default: keys.insert(key).inserted ? nil : "is given twice"
        }
      guard let problem else { continue }
      throw CommandFailure("--option \(key): \(problem)", code: .usage)
    }
  }

  private static let months = """
    choices = ["January", "February", "March", "April", "May", "June", "July", "August", "September", \
    "October", "November", "December"]
    """

  var text: String? { engine[control]?.value.map(settings.text) }

  var isUnset: Bool { engine[control]?.value == nil }

  /// Whether the control is operated only with a button.
  var isPressed: Bool { settings.kind == .toggle || settings.kind == .button }

  // MARK: Gestures

  mutating func hold(for time: Duration) -> Gesture { press(for: time, "hold for \(time.text)") }

  mutating func tap() -> Gesture { press(for: .milliseconds(80), "tap") }

  private mutating func press(for time: Duration, _ name: String) -> Gesture {
    let button = (isPressed ? VirtualInput.push : .plus).usage
    return perform(name) { trial, start in
      trial.apply(button, 1, "press", at: start)
      trial.apply(button, 0, "release", at: start + time)
    }
  }

  /// Detents, one every 50 ms.
  mutating func turn(by detents: Int) -> Gesture {
    perform("turn by \(detents)") { trial, start in
      for index in 0..<Int64(detents.magnitude) {
        let time = start + .milliseconds(index * 50)
        trial.apply(VirtualInput.dial.usage, detents < 0 ? -1 : 1, "turn", at: time)
      }
    }
  }

  /// Sets the value of an unset control, as a client does.
  mutating func setToZero() -> Gesture {
    perform("set 0") { trial, start in
      trial.note(
        trial.engine.advance(to: start, applying: .set(trial.control, SetRequest(0, clamps: true))), "set")
    }
  }

  // MARK: Virtual time

  /// Runs `body` and then one more second, so that the gesture ends.
  private mutating func perform(_ name: String, _ body: (inout Trial, Instant) -> Void) -> Gesture {
    gesture = Gesture(name: name, start: engine.now, before: text)
    body(&self, gesture.start)
    let end = engine.now + .seconds(1)
    wait(until: end)
    _ = engine.advance(to: end)
    return gesture
  }

  /// Advances the engine to each of its deadlines up to `end`.
  private mutating func wait(until end: Instant) {
    while let due = engine.deadline, due <= end { note(engine.advance(to: due), nil) }
  }

  private mutating func apply(_ usage: EvdevUsage, _ value: Int32, _ action: String, at time: Instant) {
    wait(until: time)
    note(engine.advance(to: time, applying: .frame(panel, [EvdevEvent(usage, value)])), action)
  }

  /// Adds the effects of the engine to the gesture.
  private mutating func note(_ effects: [Effect], _ action: String?) {
    let states = effects.compactMap { effect in if case .publish(let state) = effect { state } else { nil } }
    let text = states.last?.value.map(settings.text)
    // A hold with `at-limit = "fire"` publishes at the limit without a change of the value.
    let fires = settings.feel.atLimit == .fire && action == nil && states.last?.isEditing == true
    let isChange = !states.isEmpty && (text != gesture.after || fires)
    guard isChange || action != nil else { return }
    let time = engine.now - gesture.start
    gesture.events.append(Event(time: time, action: action, text: text, isChange: isChange))
  }
}
