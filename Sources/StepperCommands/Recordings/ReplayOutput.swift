internal import StepperCore
internal import StepperText

/// Prints a replay: lines of a timeline, or JSON.
struct ReplayOutput {
  var hasMoments: Bool
  var isJSON: Bool

  func write(_ line: RecordingReplay.Line) {
    let texts = line.texts(codes: .kernel, hasMoments: hasMoments)
    guard isJSON, !texts.isEmpty else { return Output.lines(texts) }
    switch line {
    case .use(let use): json(UseJSON(use))
    case .step(let step): json(StepJSON(step, hasMoments: hasMoments))
    case .lost(let time, let count): json(StepJSON(time: time, note: "\(count) frames are missing here"))
    }
  }

  /// What is to be known at this place.
  func note(_ text: String, at time: Instant) {
    guard !isJSON else { return json(StepJSON(time: time, note: text)) }
    Output.line("# \(TimeText.text(time)) \(text)")
  }

  private func json(_ value: some Encodable) {
    // Texts and finite numbers can always be encoded.
    try? Output.json(value)
  }
}

/// A device in JSON.
private struct UseJSON: Encodable {
  var recorded: String
  var name: String
  var device: String?
  var missing: [String]

  init(_ use: RecordingReplay.Use) {
    (recorded, name, device) = (use.recorded, use.name, use.device)
    missing = use.missing.map(CodeNames.kernel.name(of:))
  }
}

/// A line of the replay in JSON.
private struct StepJSON: Encodable {
  var milliseconds: Double
  var input: String?
  var note: String?
  var effects: [EffectJSON]?

  init(time: Instant, note: String) {
    milliseconds = Double(time.nanoseconds) / 1e6
    self.note = note
  }

  init(_ step: VirtualTime.Step, hasMoments: Bool) {
    milliseconds = Double(step.time.nanoseconds) / 1e6
    input = step.input.isEmpty ? nil : step.input
    effects = step.effects.compactMap { EffectJSON($0, step.names, hasMoments: hasMoments) }
  }
}

/// An effect in JSON: the control, and its value or its moment.
private struct EffectJSON: Encodable {
  var effect: String
  var control: String?
  var value: Double?
  var limit: String?
  var editing: Bool?
  var editingOrigin: String?
  var pressed: Bool?
  var live: Bool?
  var moment: String?
  var hold: Int64?
  var text: String?

  init?(_ effect: Effect, _ names: ControlNames, hasMoments: Bool) {
    switch effect {
    case .publish(let state):
      self.effect = "publish"
      control = names.name(of: state.control)
      value = state.value?.doubleValue
      limit = state.limit == .none ? nil : "\(state.limit)"
      (editing, pressed, live) = (state.isEditing, state.isPressed, state.isLive)
      editingOrigin = state.editing.map { "\($0)" }
    case .feedback(let feedback):
      guard hasMoments else { return nil }
      self.effect = "feedback"
      control = names.name(of: feedback.control)
      moment = feedback.moment.rawValue
      hold = feedback.hold?.rawValue
    case .becameIdle, .becameActive:
      self.effect = "board"
      text = EffectText(names).text([effect])
    case .refuse, .applied, .adjusted:
      self.effect = "answer"
      text = EffectText(names).text([effect])
    }
  }
}
