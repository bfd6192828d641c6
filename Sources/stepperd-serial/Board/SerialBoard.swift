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
struct SerialBoard: BoardProtocol {
  /// Where it is plugged in: the name of its table.
  let path: String

  var device = ReplaceableDevice()
  private var declaration: BoardDeclaration?
  /// What the board says that it has, with when it has said all; what it did meanwhile.
  private var declaring: (declaration: BoardDeclaration, end: Instant)?
  private var splitter = LineSplitter(mostBytes: BoardLine.limit)
  private var nextQuestion: Instant?
  var log = BoardLog()
  // What the board is to be told: by the first two words of each line, of which the latest counts.
  private var levels: [String: String] = [:]
  private var effects: [String] = []
  private var isAsking = false

  private static let leaseMilliseconds: Int64 = 3_000
  private static let questionPause = Duration.seconds(2)
  private static let declaringTime = Duration.milliseconds(200)
  /// As many as the daemon keeps for a slow reader.
  private static let mostEffects = 8

  init(path: String) { self.path = path }

  /// What it calls itself; nil: it has not said that.
  var name: String? { declaration?.name ?? declaring?.declaration.name }

  // MARK: The line

  /// The port is open. A board that has been running says what it has when it is asked.
  mutating func opened(at now: Instant) {
    (splitter, nextQuestion) = (LineSplitter(mostBytes: BoardLine.limit), now)
  }

  /// It is unplugged, or the port is closed.
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
    }
  }

  private mutating func take(_ line: BoardLine, at now: Instant) throws(BoardLine.Misfit) {
    if case .hello(let name, let serial) = line {
      nextQuestion = nil
      // It has begun again: its buttons are up.
      if !device.keysDown.isEmpty { device.reset() }
      declaring = (BoardDeclaration(name: name, serial: serial), now + Self.declaringTime)
      return
    }
    if var (new, _) = declaring, try new.add(line) {
      declaring = (new, now + Self.declaringTime)
      return
    }
    guard case .event(let name, let word) = line else {
      throw .init(reason: "what a board has comes after its hello")
    }
    // What is none of its inputs, such as a line of a log, ends no declaration.
    if let (new, _) = declaring {
      try new.find(name)
      declared(at: now)
    }
    // It is asked for its hello, and says then what it has.
    guard let declaration else { return }
    switch try declaration.find(name) {
    case .knob(let code): device.add(code, try BoardLine.number(word, -1_000...1_000), at: now)
    case .fader(let code, let range): device.add(code, try BoardLine.number(word, range), at: now)
    case .button(let code):
      guard word == "down" || word == "up" else { throw .init(reason: "a button is down or up") }
      device.add(code, word == "down" ? 1 : 0, at: now)
    }
  }

  /// It has said all that it has.
  private mutating func declared(at now: Instant) {
    guard let (new, _) = declaring else { return }
    declaring = nil
    guard !new.isEmpty else {
      // It is asked again: what it has said of it may be lost.
      nextQuestion = now + Self.questionPause
      return log.note(Array("hello \(new.name)".utf8), "nothing is declared after it")
    }
    forgetOrders()
    guard new != declaration else {
      // It has begun again, without what it was told: the daemon orders all of that anew.
      return device.reset()
    }
    declaration = new
    device.become(new.attach(path: path, leaseMilliseconds: Self.leaseMilliseconds), at: now)
  }

  // MARK: What it is told

  /// The daemon wants it shown or moved.
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

  /// A number from 0 to 1 with three places.
  private static func text(_ number: Double) -> String {
    let thousandths = Int((min(max(number, 0), 1) * 1_000).rounded())
    return thousandths < 1_000 ? "0.\(thousandths.digits(3))" : "1"
  }

  private mutating func forgetOrders() { (levels, effects) = ([:], []) }

  /// The lines for the board, of each output the latest.
  mutating func takeLines() -> [String] {
    defer {
      isAsking = false
      forgetOrders()
    }
    return (isAsking ? ["hello"] : []) + levels.keys.sorted().compactMap { levels[$0] } + effects
  }

  mutating func takeOutput() -> [UInt8] {
    // The program before this one may have ended within a line.
    let begin = isAsking ? "\n" : ""
    return Array((begin + takeLines().joined(separator: "\n") + "\n").utf8)
  }

  var hasOutput: Bool { isAsking || !levels.isEmpty || !effects.isEmpty }

  // MARK: Time

  /// Does what is due, and returns what the daemon is to be called for.
  mutating func advance(to now: Instant) -> DeviceAttachment.Call? {
    if let due = nextQuestion, due <= now {
      (isAsking, nextQuestion) = (true, now + Self.questionPause)
    }
    if let end = declaring?.end, end <= now { declared(at: now) }
    return device.advance(to: now)
  }

  /// When ``advance(to:)`` has something to do at the latest.
  var deadline: Instant? {
    [nextQuestion, declaring?.end, device.deadline].compactMap(\.self).min()
  }
}
