internal import StepperClient
internal import StepperCore
internal import StepperInterfaces
internal import StepperText

/// A board on a serial line as a device of the daemon, without I/O and without a clock.
///
/// ```
/// closed ──opened──► asks for hello every two seconds ──hello──► declares ──an event, or 0.2 s of silence──► is a device
///    ▲                             ▲                             ▲ └─ with nothing ─┐                          │
///    │                             └─────────────────────────────│──────────────────┘                          │
///    └────────────────────── unplugged ──────────────────────────┴──────────────────── hello ◄─────────────────┘
/// ```
///
/// A device is asked for its hello if a part of its declaration may have been lost, but not while one of its buttons is down.
struct SerialBoard: BoardProtocol {
  /// Where the board is plugged in: the name of its table.
  let path: String

  var device = ReplaceableDevice()
  private var declaration: BoardDeclaration?
  /// What the board has declared so far, where its faders are, and when its declaration counts as complete.
  private var declaring: (declaration: BoardDeclaration, positions: [String: Int64], end: Instant)?
  private var splitter = LineSplitter(mostBytes: BoardLine.limit)
  private var nextQuestion: Instant?
  /// Whether the board has said hello and declared nothing: it is asked until it declares something.
  private var mustAnswer = false
  /// How often the board was asked again because a part of its declaration may have been lost.
  private var doubts = 0
  var log = BoardLog()
  // The lines for the board, by their first two words. Only the latest of each counts.
  private var levels: [String: String] = [:]
  private var effects: [String] = []
  private var isAsking = false

  private static let questionPause = Duration.seconds(2)
  private static let declaringTime = Duration.milliseconds(200)
  /// A sketch that also writes a log is not asked for ever.
  private static let mostDoubts = 3
  /// The same number as the daemon keeps for a slow reader.
  private static let mostEffects = 8

  init(path: String) { self.path = path }

  /// The board's own name; nil: it has not said one.
  var name: String? { declaration?.name ?? declaring?.declaration.name }

  // MARK: The line

  /// The port has been opened. A board that is already running declares what it has when it is asked.
  mutating func opened(at now: Instant) {
    (splitter, nextQuestion, doubts) = (LineSplitter(mostBytes: BoardLine.limit), now, 0)
    mustAnswer = false
  }

  /// The board was unplugged, or the port has been closed.
  mutating func closed() {
    (nextQuestion, declaring, declaration) = (nil, nil, nil)
    forgetOrders()
    device.end()
  }

  mutating func receive(_ bytes: [UInt8], at now: Instant) {
    for line in splitter.take(bytes) { take(line, at: now) }
  }

  private mutating func take(_ bytes: [UInt8], at now: Instant) {
    do throws(BoardLine.Misfit) {
      guard let line = try BoardLine.read(bytes) else { return }
      log.lines += 1
      try take(line, at: now)
    } catch {
      log.note(bytes, error.reason)
      if declaring != nil || error.isOfUnknownInput { doubt(at: now) }
    }
  }

  /// A line of the declaration may have been damaged: the board is asked once more.
  private mutating func doubt(at now: Instant) {
    guard nextQuestion == nil, doubts < Self.mostDoubts else { return }
    doubts += 1
    nextQuestion = now + Self.questionPause
  }

  private mutating func take(_ line: BoardLine, at now: Instant) throws(BoardLine.Misfit) {
    if case .hello(let name, let serial) = line {
      (nextQuestion, mustAnswer) = (nil, false)
      // The board has restarted: its buttons are up.
      if !device.keysDown.isEmpty { device.reset() }
      declaring = (BoardDeclaration(name: name, serial: serial), [:], now + Self.declaringTime)
      return
    }
    if try declaring?.declaration.add(line) == true {
      declaring?.end = now + Self.declaringTime
      return
    }
    guard case .event(let name, let word) = line else {
      throw .init(reason: "a declaration begins with the line hello NAME")
    }
    // A line that is about none of its inputs, such as a log line, does not end the declaration.
    if let (new, _, _) = declaring {
      if case .fader(let code, let range) = try new.find(name) {
        // Nobody has moved the fader: this is its position.
        declaring?.positions[code] = try BoardLine.number(word, range)
        return
      }
      declared(at: now)
    }
    // The board is asked for its hello, after which it declares what it has.
    guard let declaration else { return }
    switch try declaration.find(name) {
    case .knob(let code): device.add(code, try BoardLine.number(word, -1_000...1_000), at: now)
    case .fader(let code, let range): device.add(code, try BoardLine.number(word, range), at: now)
    case .button(let code):
      guard word == "down" || word == "up" else { throw .init(reason: "a button is down or up") }
      device.add(code, word == "down" ? 1 : 0, at: now)
    }
  }

  /// The declaration is complete.
  private mutating func declared(at now: Instant) {
    guard let (new, positions, _) = declaring else { return }
    declaring = nil
    guard !new.isEmpty else {
      // Its declaration may have been lost.
      (nextQuestion, mustAnswer) = (now + Self.questionPause, true)
      return log.note(Array("hello \(new.name)".utf8), "nothing is declared after it")
    }
    forgetOrders()
    if new == declaration, positions.isEmpty {
      // The board has restarted and forgotten what it was told: the daemon orders all of it again.
      return device.reset()
    }
    declaration = new
    device.become(new.attach(path: path, positions), at: now)
  }

  // MARK: What it is told

  /// The daemon has ordered something to be shown or moved.
  mutating func take(_ order: ProviderInterface.Order, at now: Instant) {
    guard order.handle == device.handle, let declaration else { return }
    if let light = order.light, declaration.has(light.output, .light) {
      tell("light \(light.output)", Self.text(light.brightness))
    } else if let detents = order.detents, declaration.has(detents.output, .detents) {
      let ends = [detents.minimum, detents.maximum].map { end in end.map { "\($0)" } ?? "-" }
      tell(
        "detents \(detents.output)",
        "\(detents.position) \(ends[0]) \(ends[1])" + (detents.wraps ? " wraps" : ""))
    } else if let text = order.text, let name = declaration.name(ofDisplay: text.output) {
      tell("title \(name)", text.title)
      tell("value \(name)", text.valueWithUnit)
    } else if let position = order.position, declaration.has(position.output, .position),
      let range = declaration.range(ofMotor: position.output)
    {
      let travel = Double(range.upperBound - range.lowerBound)
      let place = range.lowerBound + Int64((travel * min(max(position.position, 0), 1)).rounded())
      tell("motor \(position.output)", "\(place)")
    } else if let effect = order.effect, declaration.has(effect.output, .effect) {
      if effects.count >= Self.mostEffects { effects.removeFirst() }
      effects.append("effect \(effect.output) \(effect.effect.rawValue) \(Self.text(effect.strength))")
    }
  }

  private mutating func tell(_ subject: String, _ what: String) {
    levels[subject] =
      what.isEmpty
      ? subject
      : "\(subject) \(fitted(String(what.map { $0.isNewline ? " " : $0 }), BoardLine.limit - subject.utf8.count - 1))"
  }

  /// A number from 0 to 1, with three decimal places.
  private static func text(_ number: Double) -> String {
    let thousandths = Int((min(max(number, 0), 1) * 1_000).rounded())
    return thousandths < 1_000 ? "0.\(thousandths.digits(3))" : "1"
  }

  private mutating func forgetOrders() { (levels, effects) = ([:], []) }

  /// Removes and returns the lines for the board, with the latest value of each output.
  mutating func takeLines() -> [String] {
    defer {
      isAsking = false
      forgetOrders()
    }
    return (isAsking ? ["hello"] : []) + levels.keys.sorted().compactMap { levels[$0] } + effects
  }

  mutating func takeOutput() -> [UInt8] {
    // The program before this one may have stopped in the middle of a line.
    let begin = isAsking ? "\n" : ""
    return Array((begin + takeLines().joined(separator: "\n") + "\n").utf8)
  }

  var hasOutput: Bool { isAsking || !levels.isEmpty || !effects.isEmpty }

  // MARK: Time

  /// Does what is due, and returns the call to the daemon that is needed; nil: none.
  mutating func advance(to now: Instant) -> DeviceAttachment.Call? {
    if let due = nextQuestion, due <= now { ask(at: now) }
    if let end = declaring?.end, end <= now { declared(at: now) }
    return device.advance(to: now)
  }

  private mutating func ask(at now: Instant) {
    // The answer would release a button that is held.
    let isHeld = declaration != nil && !device.keysDown.isEmpty
    isAsking = !isHeld
    nextQuestion = isHeld || declaration == nil || mustAnswer ? now + Self.questionPause : nil
  }

  /// The latest time at which ``advance(to:)`` has something to do.
  var deadline: Instant? {
    [nextQuestion, declaring?.end, device.deadline].compactMap(\.self).min()
  }
}
