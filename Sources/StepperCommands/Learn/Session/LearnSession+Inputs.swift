internal import StepperCore
internal import StepperLinux
internal import StepperText

/// The questions about inputs.
extension LearnSession {
  /// The time of rest that ends a turn.
  private static let turnRest = Duration.milliseconds(1_500)
  /// The time of rest that ends a turn whose counts do not fit ten clicks.
  private static let unclearRest = Duration.seconds(4)
  private static let buttonRest = Duration.milliseconds(600)
  private static let faderRest = Duration.seconds(2)

  private enum Moved {
    case turn(TurnFinding)
    case knobKeys(ButtonFinding)
    case button(ButtonFinding)
    case fader(FaderFinding)
  }

  /// Learns the inputs of the control. Throws ``WentBack`` if the user goes back to the questions before the first
  /// movement.
  mutating func learnInputs() throws -> LearnedInputs {
    while true {
      unplugged = []
      let moved = try learnMovement()
      var inputs = LearnedInputs()
      do {
        switch moved {
        case .turn(let turn): try complete(turn, &inputs)
        case .knobKeys(let keys): try completeButtons(keys, isKnob: true, &inputs)
        case .button(let button): try completeButtons(button, isKnob: false, &inputs)
        case .fader(let fader): try complete(fader, &inputs)
        }
      } catch is WentBack {
        continue
      }
      if let (device, _) = inputs.devices.first(where: { unplugged.contains($0.name) }) {
        conversation.note("\(device) was unplugged meanwhile, so this is done once more.")
      } else if !inputs.isEmpty {
        return inputs
      }
    }
  }

  // MARK: What moves

  private mutating func learnMovement() throws -> Moved {
    let isSwitch = kind == .toggle || kind == .button
    let text =
      isSwitch
      ? "Press the button for \(control)."
      : "Turn the knob slowly to the right, ten clicks (without clicks: half a turn). Or press the button for more."
        + " Or move the fader from end to end, twice, and let it rest."
    let devices = { [watch] in watch.devices }
    let observed = try observe("move", text, answers: ["Enter when done", "b back", "q quit"]) {
      observation, now, isAsked -> Moved? in
      if isSwitch {
        return Self.released(observation, now, isAsked).map { .button($0) }
      }
      if let fader = observation.fader(of: devices()), isAsked || now - fader.restTime >= Self.faderRest {
        return .fader(fader)
      }
      if let turn = observation.turn {
        let rest = turn.isTenClicks ? Self.turnRest : Self.unclearRest
        let last = observation.lastTime(of: turn.input) ?? now
        return isAsked || now - last >= rest ? .turn(turn) : nil
      }
      guard let button = observation.button(), let last = observation.lastTime(of: button.input) else {
        return nil
      }
      if button.isKnob || button.isInstant {
        let rest = button.presses >= 8 ? Self.turnRest : Self.unclearRest
        guard isAsked || now - last >= rest else { return nil }
        return button.isKnob ? .knobKeys(button) : .button(button)
      }
      return Self.released(observation, now, isAsked).map { .button($0) }
    }
    return try observed ?? learnMovement()
  }

  /// A button that was pressed and released.
  private static func released(
    _ observation: Observation, _ now: Instant, _ isAsked: Bool, preferring device: String? = nil,
    after rest: Duration = buttonRest
  ) -> ButtonFinding? {
    guard let button = observation.button(preferring: device), !button.isDown,
      let last = observation.lastTime(of: button.input)
    else { return nil }
    return isAsked || now - last >= rest ? button : nil
  }

  // MARK: Knob

  private mutating func complete(_ found: TurnFinding, _ inputs: inout LearnedInputs) throws {
    var turn = found
    if turn.isCounter {
      conversation.note(
        "\(title(of: turn.input)) reports positions instead of movements, as the jog wheel of a Contour Shuttle does,"
          + " which stepperd cannot follow.")
      return
    }
    if let rival = turn.rival {
      let other =
        rival.device == turn.input.device ? "\(rival.usage.name) of the same device" : title(of: rival)
      conversation.note("\(other) moved nearly as much; \(title(of: turn.input)) moved most and is used.")
    }
    if !turn.isClear {
      let counts = turn.counts.magnitude
      let answer = try ask(
        "clicks",
        "It made \(counts) counts, which are not ten equal clicks. How many clicks did you turn it? (Enter: it has no clicks)",
        answers: ["a number", "b back", "q quit"])
      if case .text(let text) = answer {
        guard let clicks = UInt64(text), clicks > 0 else {
          conversation.note("\"\(text)\" is not a number of clicks.")
          throw WentBack()
        }
        let range = DeviceSettings.countsOfDetent
        turn.countsPerDetent = Int(
          min(max(Int64(clamping: (counts + clicks / 2) / clicks), range.lowerBound), range.upperBound))
      }
    }
    let count = turn.countsPerDetent
    conversation.note(
      "It is \(title(of: turn.input)): \(count.counted("count")) a click,"
        + (turn.isInverted ? " down to the right, so it is inverted." : " up to the right.")
    )
    if turn.bounces > 0 {
      conversation.note(
        "Its contacts bounce (\(turn.bounces) times). A filter of 10 kΩ and 10 nF at each contact helps.")
    }
    send("knob", turn.input, inverted: turn.isInverted, countsPerDetent: count)
    inputs.turn = turn
    try learnPush(of: turn.input.device, &inputs)
  }

  private mutating func learnPush(of device: String, _ inputs: inout LearnedInputs) throws {
    guard watch.devices.values.contains(where: { $0.identity.usages.contains(where: \.isKey) }) else {
      return
    }
    let taken = [inputs.increment, inputs.decrement]
    let observed = try observe("push", "Push the knob, or s if it has no button.") {
      observation, now, isAsked in
      Self.released(observation, now, isAsked, preferring: device).flatMap {
        taken.contains($0.input) ? nil : $0
      }
    }
    guard let button = observed else { return }
    conversation.note("It is \(title(of: button.input)).")
    note(button)
    inputs.push = button.input
    // A configured action of the push button is not changed.
    if !configured.contains("push") { try learnPushAction(&inputs) }
  }

  private mutating func learnPushAction(_ inputs: inout LearnedInputs) throws {
    let answer = try ask(
      "push-action",
      "What does a short push do? r: set the initial value, p: make each click ten steps until the next push, n: nothing [r]",
      answers: ["b back", "q quit"])
    switch answer {
    case .text("p"): inputs.pushAction = .pageMode
    case .text("n"), .skip: inputs.push = nil
    default: inputs.pushAction = .reset
    }
  }

  // MARK: Buttons

  private mutating func completeButtons(
    _ first: ButtonFinding, isKnob: Bool, _ inputs: inout LearnedInputs
  ) throws {
    conversation.note(
      "It is \(title(of: first.input))\(isKnob ? ", a knob that sends a key for each click." : ".")")
    note(first)
    guard kind != .toggle, kind != .button else {
      inputs.push = first.input
      return
    }
    inputs.increment = first.input
    let text =
      isKnob ? "Turn it to the left, ten clicks." : "Press the button for less, or s if there is none."
    var isRepeated = false
    while inputs.decrement == nil {
      let observed = try observe("less", isRepeated ? "This is the same button. \(text)" : text) {
        Self.released($0, $1, $2, after: isKnob ? Self.turnRest : Self.buttonRest)
      }
      guard let button = observed else { return }
      isRepeated = button.input == first.input
      if isRepeated { continue }
      conversation.note("It is \(title(of: button.input)).")
      note(button)
      inputs.decrement = button.input
    }
    if isKnob { try learnPush(of: first.input.device, &inputs) }
  }

  private mutating func note(_ button: ButtonFinding) {
    if button.hasRival {
      conversation.note("Another button was pressed too; this one was pressed first or most often.")
    }
    if button.bounces > 0, !button.isKnob {
      conversation.note(
        "It bounces (\(button.bounces) times): debounce-interval of gpio-keys, or another button, prevents that."
      )
    }
    send("button", button.input)
  }

  // MARK: Fader

  private mutating func complete(_ found: FaderFinding, _ inputs: inout LearnedInputs) throws {
    if let rival = found.rival {
      conversation.note(
        "\(title(of: rival)) moved nearly as far; \(title(of: found.input)) moved furthest and is used.")
    }
    conversation.note(
      "It is \(title(of: found.input)): from \(found.reached.lowerBound) to \(found.reached.upperBound)"
        + (found.noise > 0 ? ", with a noise of \(found.noise) counts at rest." : ", without noise at rest."))
    var fader = LearnedInputs.Fader(finding: found, isInverted: false)
    let observed = try observe(
      "upper-end", "Move it to the end at which \(control) is highest, and release it."
    ) {
      observation, now, isAsked -> EndOfFader? in
      guard let rest = observation.rest(of: found.input, within: found.reached),
        isAsked || now - rest.since >= Self.turnRest
      else { return nil }
      return EndOfFader(rest, in: found)
    }
    if let end = observed {
      fader.isInverted = end.isInverted
      if end.isSprung {
        fader.deadZone = found.deadZone
        conversation.note("It returns to its middle: a dead zone of \(found.deadZone) counts is set.")
      }
    }
    // A configured curve of the control is not changed.
    if !configured.contains("curve") {
      let answer = try ask(
        "taper",
        "Does \(control) follow the position evenly (Enter), or as with an audio fader, where the middle is a tenth of the range (a)?",
        answers: ["b back", "q quit"])
      fader.isLogarithmic = answer == .text("a")
    }
    send(
      "fader", found.input, inverted: fader.isInverted, travel: found.travel, hysteresis: found.hysteresis)
    inputs.fader = fader
  }
}

/// The position of a fader after it was moved to its upper end.
private struct EndOfFader {
  var isInverted: Bool
  /// Whether the fader has returned to its middle.
  var isSprung: Bool

  /// Nil if the fader neither rests at an end nor has returned to its middle from exactly one end.
  init?(_ rest: Observation.Rest, in fader: FaderFinding) {
    func place(_ value: Int32) -> Double {
      (Double(value) - Double(fader.reached.lowerBound)) / max(fader.reached.length, 1)
    }
    let end = place(rest.value)
    let (reachedLow, reachedHigh) = (place(rest.lowest) <= 0.2, place(rest.highest) >= 0.8)
    if end >= 0.8 {
      (isInverted, isSprung) = (false, false)
    } else if end <= 0.2 {
      (isInverted, isSprung) = (true, false)
    } else if fader.restsInMiddle, reachedLow != reachedHigh {
      (isInverted, isSprung) = (reachedLow, true)
    } else {
      return nil
    }
  }
}
