internal import StepperConfiguration
internal import StepperCore

/// A scratch control of some profile, and what it does in virtual time.
struct Trial {
  /// What is done to it, and what followed.
  struct Gesture {
    var name: String
    /// What it began at, as text.
    var before: String?
    var moments: [Moment] = []

    var after: String? { moments.last { $0.isChange }?.text ?? before }
    var changes: Int { moments.count { $0.isChange } }
  }

  /// Something that was done, or a change, at a time since the gesture began.
  struct Moment {
    var time: Duration
    /// What was done; nil: time alone did it.
    var action: String?
    /// The value then.
    var text: String?
    var isChange: Bool
  }

  private var engine: Engine
  private let settings: ControlSettings
  private let panel = DeviceNumber(0)
  private let control = ControlID(0)

  /// Throws, in words, if the options do not go together.
  ///
  /// `options` are lines of a control's table that come on top of the profile.
  init(_ profile: Profile, options: [String], known: [Profile]) throws(CommandFailure) {
    let kind = options.last { $0.hasPrefix("kind = ") }?.dropFirst(7) ?? profile.value(of: .kind)[...]
    let lines = options + (kind == "\"choice\"" ? [Self.months] : [])
    let isPressed = ["\"toggle\"", "\"button\""].contains(kind)
    let inputs = isPressed ? ["push = \"panel:push\""] : Self.panelInputs
    let text = """
      [device.panel]
      virtual = true
      [control.try]
      profile = "\(profile.name)"

      """ + (lines + inputs).joined(separator: "\n")
    let (configuration, problems) = Configuration.load(
      text, file: "--option", resolvingCode: { _ in nil }, knownCodes: [], known: known)
    guard let configuration, let settings = configuration.controls.first?.settings else {
      let errors = problems.filter { $0.severity == .error }.map { problem in
        let meant = problem.suggestion.map { " (did you mean \"\($0)\"?)" } ?? ""
        let key = problem.keyPath.split(separator: ".").dropFirst(2).joined(separator: ".")
        return "--option \(key): \(problem.message)\(meant)"
      }
      throw CommandFailure(message: errors.joined(separator: "\n"), code: .configuration)
    }
    self.settings = settings
    engine = Engine(
      EngineConfiguration(controls: [settings], devices: configuration.devices.map(\.settings)),
      at: .milliseconds(0))
    _ = engine.advance(
      to: .milliseconds(0), applying: .deviceAdded(panel, .virtual(settingsName: "panel")))
  }

  private static let panelInputs = [
    "increment = \"panel:plus\"", "decrement = \"panel:minus\"", "rotate = \"panel:dial\"",
  ]
  private static let months = """
    choices = ["January", "February", "March", "April", "May", "June", "July", "August", "September", \
    "October", "November", "December"]
    """

  var text: String? { engine[control].value.map(settings.text) }

  var isUnset: Bool { engine[control].value == nil }

  /// Whether pressing is all that can be done to it.
  var isPressed: Bool { settings.kind == .toggle || settings.kind == .button }

  // MARK: Gestures

  /// A button held for a time.
  mutating func hold(for time: Duration) -> Gesture {
    let input = isPressed ? VirtualInput.push : .plus
    return perform("hold for \(text(of: time))") { trial, gesture, start in
      trial.apply(input.usage, 1, "press", at: start, since: start, &gesture)
      trial.apply(input.usage, 0, "release", at: start + time, since: start, &gesture)
    }
  }

  mutating func tap() -> Gesture {
    let input = isPressed ? VirtualInput.push : .plus
    return perform("tap") { trial, gesture, start in
      trial.apply(input.usage, 1, "press", at: start, since: start, &gesture)
      trial.apply(input.usage, 0, "release", at: start + .milliseconds(80), since: start, &gesture)
    }
  }

  /// Detents, one every 50 ms.
  mutating func turn(by detents: Int) -> Gesture {
    perform("turn by \(detents)") { trial, gesture, start in
      for index in 0..<Int(detents.magnitude) {
        let time = start + .milliseconds(Int64(index) * 50)
        trial.apply(VirtualInput.dial.usage, detents < 0 ? -1 : 1, "turn", at: time, since: start, &gesture)
      }
    }
  }

  /// A client's value, where it has none.
  mutating func setToZero() -> Gesture {
    perform("set 0") { trial, gesture, start in
      trial.note(
        trial.engine.advance(to: start, applying: .set(trial.control, SetRequest(0, clamps: true))),
        "set", at: start, since: start, &gesture)
    }
  }

  // MARK: Virtual time

  /// A second's rest lets what came before come to its end.
  private mutating func perform(
    _ name: String, _ body: (inout Trial, inout Gesture, Instant) -> Void
  ) -> Gesture {
    let start = engine.now + .seconds(1)
    _ = engine.advance(to: start)
    var gesture = Gesture(name: name, before: text)
    body(&self, &gesture, start)
    return gesture
  }

  private mutating func apply(
    _ usage: EvdevUsage, _ value: Int32, _ action: String, at time: Instant, since start: Instant,
    _ gesture: inout Gesture
  ) {
    while let due = engine.deadline, due <= time {
      note(engine.advance(to: due), nil, at: due, since: start, &gesture)
    }
    let input = Input.frame(panel, [EvdevEvent(usage, value)])
    note(engine.advance(to: time, applying: input), action, at: time, since: start, &gesture)
  }

  private func note(
    _ effects: [Effect], _ action: String?, at time: Instant, since start: Instant, _ gesture: inout Gesture
  ) {
    let states = effects.compactMap { effect in if case .publish(let state) = effect { state } else { nil } }
    let text = states.last?.value.map(settings.text)
    let isChange =
      !states.isEmpty && (text != gesture.after || settings.feel.atLimit == .fire && action == nil)
    guard isChange || action != nil else { return }
    gesture.moments.append(Moment(time: time - start, action: action, text: text, isChange: isChange))
  }

  private func text(of duration: Duration) -> String { DurationText(duration).description }
}
