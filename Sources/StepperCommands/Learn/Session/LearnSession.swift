internal import StepperClient
internal import StepperCore
internal import StepperLinux
internal import StepperText
internal import Varlink

/// The dialogue of `stepperctl learn`: its questions, and the observation of devices.
struct LearnSession {
  let client: StepperClient
  let watch: DeviceWatch
  var conversation: Conversation
  var input = LineInput()
  /// The time of the last key event of a watched device that may have typed a line.
  private var lastKey = Instant.distantPast
  /// Whether the user was told about such a line.
  private var isEchoExplained = false
  /// Devices that were unplugged since the first question about inputs.
  var unplugged: Set<String> = []
  /// The control that is learned; set before the first question about inputs.
  var control = ""
  var kind = ControlKind.continuous
  /// The keys that the control's table already has, among those that questions are about.
  var configured: Set<String> = []
  /// The tables of the included file.
  var included = IncludedTables()

  /// The maximum time between two reads of the standard input.
  static let interval = Duration.milliseconds(50)
  /// Time without a report after which the list of devices is printed; shorter if no device is watched.
  static let timeout = Duration.seconds(12)
  private static let timeoutWithoutDevices = Duration.seconds(2)
  /// A watched key may also type into this terminal, immediately after its frame. A line within this time after such an
  /// event is ignored. Moving a hand from a knob to the keyboard takes longer.
  private static let echo = Duration.milliseconds(200)

  init(_ client: StepperClient, _ watch: DeviceWatch, _ conversation: Conversation) {
    (self.client, self.watch, self.conversation) = (client, watch, conversation)
  }

  // MARK: Questions

  /// An answer to a question, never `back` or `quit`. Frames of devices are discarded meanwhile.
  mutating func ask(_ id: String, _ text: String, answers: [String]) throws -> TypedAnswer {
    input.discard()
    conversation.prompt(id, text, answers: answers)
    while true {
      _ = try frames()
      if let answer = try answer() {
        if answer == .back { throw WentBack() }
        return answer
      }
    }
  }

  /// A number; Enter is `standard`.
  mutating func askNumber(_ id: String, _ text: String, standard: FixedPoint) throws -> FixedPoint {
    while true {
      guard case .text(let text) = try ask(id, "\(text) [\(standard)]", answers: ["b back", "q quit"]) else {
        return standard
      }
      if let number = FixedPoint(text) { return number.normalized }
      conversation.note("\"\(text)\" is not a number.")
    }
  }

  /// Watches until `done` returns a finding; returns nil if the user skips the question. `isAsked` is true if the user
  /// ended the movement with Enter.
  mutating func observe<Finding>(
    _ id: String, _ text: String, answers: [String] = ["s skip", "b back", "q quit"],
    done: (_ observation: Observation, _ now: Instant, _ isAsked: Bool) -> Finding?
  ) throws -> Finding? {
    _ = try watch.next(timeout: .zero)
    input.discard()
    conversation.prompt(id, text, answers: answers)
    var observation = Observation(watch.devices)
    let start = Instant.now
    var isExplained = false
    while true {
      for frame in try frames() { observation.add(frame) }
      for device in watch.removed { observation.remove(device) }
      if watch.dropped > 0 {
        conversation.note(
          "\(watch.dropped) reports were lost, so the counts are wrong; move it again, more slowly.")
        observation = Observation(watch.devices)
      }
      let now = Instant.now
      if let found = done(observation, now, false) { return found }
      conversation.show(live(observation))
      switch try answer() {
      case .enter?:
        if let found = done(observation, now, true) { return found }
        conversation.note("Nothing was recognised yet.")
      case .skip?, .quit?: return nil
      case .back?: throw WentBack()
      case .text(let text)?: noteWrong(text)
      case nil: break
      }
      let timeout = watch.devices.isEmpty ? Self.timeoutWithoutDevices : Self.timeout
      if !isExplained, observation.frameCount == 0, now - start > timeout {
        isExplained = true
        if !watch.devices.isEmpty { conversation.note("Nothing moves.") }
        for line in try watch.explanation() { conversation.note(line) }
      }
    }
  }

  /// The next frames. Prints the devices that were plugged in or unplugged.
  mutating func frames() throws(StepperClientError) -> [WatchedFrame] {
    let known = Set(watch.devices.keys)
    let frames = try watch.next(timeout: Self.interval)
    for device in watch.devices.values.sorted(by: { $0.name < $1.name }) where !known.contains(device.name) {
      conversation.note("plugged in: \(Self.title(of: device))")
    }
    for name in watch.removed { conversation.note("unplugged: \(name)") }
    unplugged.formUnion(watch.removed)
    for notice in watch.takeNotices() { conversation.note(notice) }
    if frames.contains(where: { $0.events.contains(where: Self.types) }) { lastKey = Instant.now }
    return frames
  }

  /// Whether a key event may have typed a line. Repeats do not count, because a latching switch repeats forever, except
  /// those of Enter, which ends a line.
  private static func types(_ event: EvdevEvent) -> Bool {
    event.usage.isKey && (event.value != 2 || enterKeys.contains(event.usage))
  }

  /// `KEY_ENTER` and `KEY_KPENTER`.
  private static let enterKeys: [EvdevUsage] = [.key(28), .key(96)]

  /// The typed answer; nil without one. Throws ``LearningEnded`` at the end of the input and for `q`.
  mutating func answer() throws(LearningEnded) -> TypedAnswer? {
    switch input.next() {
    case nil: return nil
    case .end?: throw LearningEnded()
    case .text(let line)?:
      let answer = TypedAnswer(line)
      if answer == .quit { throw LearningEnded() }
      // The watched device probably typed this line.
      guard conversation.isJSON || Instant.now - lastKey > Self.echo else {
        if !isEchoExplained {
          conversation.note(
            "A watched device reported a key while this was typed, so it is not taken as an answer; type it again."
          )
        }
        isEchoExplained = true
        return nil
      }
      return answer
    }
  }

  mutating func noteWrong(_ answer: String) { conversation.note("\"\(answer)\" is not an answer to this.") }

  // MARK: Texts

  static func title(of device: RecordedDevice) -> String { "\(device.name) \"\(device.identity.name)\"" }

  func title(of input: WatchedInput) -> String {
    let device = watch.devices[input.device].map { "\"\($0.identity.name)\"" } ?? input.device
    return "\(input.usage.name) of \(device)"
  }

  /// The input that is moving, as one line.
  private func live(_ observation: Observation) -> String {
    if let turn = observation.turn {
      return "\(title(of: turn.input)): \(turn.counts > 0 ? "+" : "")\(turn.counts)"
    }
    if let fader = observation.fader(of: watch.devices) {
      return
        "\(title(of: fader.input)): \(fader.reached.lowerBound) to \(fader.reached.upperBound), let it rest"
    }
    if let button = observation.button() { return "\(title(of: button.input)): \(button.presses) pressed" }
    if let axis = observation.liveliest(of: watch.devices) {
      return "\(title(of: axis.input)): " + Conversation.bar(axis.position, "\(axis.value)")
    }
    return observation.frameCount > 0 ? "something moves" : ""
  }

  /// Sends the finding about an input to a program: `kind` is `knob`, `button` or `fader`.
  func send(
    _ kind: String, _ input: WatchedInput, inverted: Bool? = nil, countsPerDetent: Int? = nil,
    travel: ClosedRange<Int32>? = nil, hysteresis: Int32? = nil
  ) {
    let identity = watch.devices[input.device]?.identity
    let finding: JSONObject = [
      "code": input.usage.name, "countsPerDetent": countsPerDetent, "hysteresis": hysteresis.map { Int($0) },
      "inverted": inverted, "kind": kind, "maximum": travel.map { Int($0.upperBound) },
      "minimum": travel.map { Int($0.lowerBound) }, "name": identity?.name ?? "",
      "node": identity?.node ?? "",
    ]
    conversation.send(["finding": finding, "type": "finding"])
  }
}
