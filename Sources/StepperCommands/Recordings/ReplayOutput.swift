internal import StepperCore
internal import StepperLinux
internal import StepperText
internal import Varlink

/// Prints a replay: lines of a timeline, or JSON.
struct ReplayOutput {
  var hasMoments: Bool
  var isJSON: Bool

  func write(_ line: RecordingReplay.Line) {
    let texts = line.texts(codes: .kernel, hasMoments: hasMoments)
    guard isJSON, !texts.isEmpty else { return Output.lines(texts) }
    switch line {
    case .use(let use):
      json([
        "device": use.device, "missing": use.missing.map(CodeNames.kernel.name(of:)), "name": use.name,
        "recorded": use.recorded,
      ])
    case .step(let step):
      json(
        self.step(step.time, input: step.input, effects: step.effects.compactMap { object($0, step.names) }))
    case .lost(let time, let count): json(step(time, note: "\(count) frames are missing here"))
    }
  }

  /// Prints a note about this point of the recording.
  func note(_ text: String, at time: Instant) {
    guard !isJSON else { return json(step(time, note: text)) }
    Output.line("# \(TimeText.text(time)) \(text)")
  }

  /// Prints an input of a log whose effects differ from the recorded ones.
  func difference(
    _ step: VirtualTime.Step, recorded: String, now: String, at place: (file: String, line: Int)
  ) {
    guard !isJSON else {
      return json([
        "input": step.input, "line": place.line, "milliseconds": Double(step.time.nanoseconds) / 1e6,
        "now": now, "recorded": recorded,
      ])
    }
    Output.line("\(place.file):\(place.line): \(TimeText.text(step.time)) \(step.input)")
    Output.line("  recorded: \(recorded)")
    Output.line("  now:      \(now)")
  }

  private func json(_ value: JSONObject) {
    // Texts and finite numbers can always be encoded.
    try? Output.json(value)
  }

  /// A line of the replay.
  private func step(_ time: Instant, input: String = "", note: String? = nil, effects: [JSONObject]? = nil)
    -> JSONObject
  {
    [
      "effects": effects, "input": input.isEmpty ? nil : input,
      "milliseconds": Double(time.nanoseconds) / 1e6,
      "note": note,
    ]
  }

  /// The control of an effect with its value or moment; nil if the effect is not shown.
  private func object(_ effect: Effect, _ names: ControlNames) -> JSONObject? {
    switch effect {
    case .publish(let state):
      [
        "control": names.name(of: state.control), "editing": state.isEditing,
        "editingOrigin": state.editing.map { "\($0)" }, "effect": "publish",
        "limit": state.limit == .none ? nil : "\(state.limit)", "live": state.isLive,
        "pressed": state.isPressed,
        "value": state.value?.doubleValue,
      ]
    case .feedback(let feedback):
      hasMoments
        ? [
          "control": names.name(of: feedback.control), "effect": "feedback", "hold": feedback.hold?.rawValue,
          "moment": feedback.moment.rawValue,
        ] : nil
    case .becameIdle, .becameActive: ["effect": "board", "text": EffectText(names).text([effect])]
    case .refuse, .applied, .adjusted: ["effect": "answer", "text": EffectText(names).text([effect])]
    }
  }
}
