internal import StepperBridge
internal import StepperCore
internal import StepperText

/// What a link counts.
struct LinkCounts: Hashable {
  var starts: Int64 = 0
  /// Values that the outside has taken, and how long it has taken for them.
  var writes: Int64 = 0
  var writeTime = Duration.zero
  var refusals: Int64 = 0
}

/// A link, as a value without clock and without input and output: its bridge, and the state of the program that serves its
/// outside. That is started, killed when it is late or writes too much, and started again after increasing pauses.
struct LinkMachine {
  enum Input {
    /// The daemon replied, or is lost.
    case bridge(BridgeMachine.Input)
    /// The program of a coprocess is loaded.
    case loaded
    /// The program has written.
    case read([UInt8])
    /// The program has read all that was sent to it.
    case accepted
    /// The program has closed its input.
    case inputClosed
    /// The program has ended, or cannot be started, and how, in words.
    case ended(String)
  }

  enum Effect: Hashable {
    /// Start the program; ``Input/ended(_:)`` follows when it has ended.
    case start
    /// Write to the program's input; ``Input/accepted`` follows.
    case send([UInt8])
    case kill
    /// A call for the bridge, or what it reports.
    case bridge(BridgeMachine.Effect)
    /// A line of the program that has no meaning, for the log.
    case note(String)
  }

  /// In the log.
  let name: String
  let program: OutsideProgram
  private var bridge: BridgeMachine
  private var process = Process.absent
  private var retry = Retry.ofOutside
  private(set) var counts = LinkCounts()
  private var now = Instant.distantPast
  private var effects: [Effect] = []

  private enum Process {
    case absent
    case running(Run)
    /// Killed.
    case ending
  }

  /// One run of the program.
  private struct Run {
    var lines: LineSplitter
    /// When it is killed, and why.
    var late: (at: Instant, reason: String)?
    var isWriting = false
    /// When the present write began.
    var began = Instant.distantPast
    /// The newest value that waits for the end of a write.
    var next: Double?
    var hasNoted = false
    /// Lines that it may write; more is a flood.
    var limit = RateLimit(every: .seconds(1) / LinkMachine.linesPerSecond, burst: LinkMachine.linesPerSecond)
  }

  /// How long a library may take to connect, and for a write; those that know better fail earlier.
  private static let timeout = Duration.seconds(12)
  /// How long a coprocess may take to read a line.
  private static let readingTimeout = Duration.seconds(5)
  private static let linesPerSecond = 2_000
  /// Bytes of a line that has the values of a mixer.
  private static let longestLine = 128 << 10

  init(_ name: String, _ program: OutsideProgram, control: String, rules: BridgeRules) {
    (self.name, self.program) = (name, program)
    bridge = BridgeMachine(control, program.scale, rules)
  }

  var control: String { bridge.control }

  /// Whether a value is on its way from one side to the other.
  var isWriting: Bool {
    if case .running(let run) = process, run.isWriting { true } else { bridge.isWriting }
  }

  /// When to advance it next without an input; nil: not before there is one.
  var deadline: Instant? {
    var late: Instant?
    if case .running(let run) = process { late = run.late?.at }
    return [retry.at, late, bridge.deadline.map(BridgeClock.instant)].compactMap(\.self).min()
  }

  /// Advances to `now`, applies `input`, and returns what is to be done, in its order.
  mutating func advance(to now: Instant, applying input: Input? = nil) -> [Effect] {
    (self.now, effects) = (now, [])
    if retry.isDue(at: now) { start() }
    if case .running(let run) = process, let late = run.late, late.at <= now { fail(late.reason) }
    feed(nil)
    if let input { apply(input) }
    return effects
  }

  private mutating func apply(_ input: Input) {
    switch (input, process) {
    case (.bridge(let input), _): feed(input)
    case (.loaded, .running) where program.isCoprocess:
      began(.terms(BridgeTerms(rounding: .infinity)))
      // It need not write a value.
      feed(.outside(.value(nil)))
    case (.read(let bytes), .running(let run)): read(bytes, run)
    // Other programs say when it is done.
    case (.accepted, .running): if program.isCoprocess { written() }
    case (.inputClosed, .running(var run)):
      // Its end, which has a reason, usually follows at once.
      run.late = (now + .milliseconds(100), "\(program.name) has closed its input; it is restarted")
      process = .running(run)
    case (.ended(let how), _):
      if case .running = process { feed(.outsideLost("\(program.name) \(how); it is restarted")) }
      process = .absent
      retry.failed(at: now)
    default: break
    }
  }

  private mutating func feed(_ input: BridgeMachine.Input?) {
    for effect in bridge.advance(to: BridgeClock.instant(now), applying: input) {
      if case .write(let value) = effect { write(value) } else { effects.append(.bridge(effect)) }
      if case .report(.refused) = effect { counts.refusals += 1 }
    }
  }

  // MARK: The program

  private mutating func start() {
    retry.begin()
    retry.succeed(at: now)
    var run = Run(lines: LineSplitter(mostBytes: mostBytes))
    run.late = (now + Self.timeout, "\(program.name) does not answer")
    process = .running(run)
    counts.starts += 1
    effects.append(.start)
  }

  /// Of a line of the program.
  private var mostBytes: Int { program.isCoprocess ? OutsideLine.mostBytes : Self.longestLine }

  private mutating func fail(_ reason: String) {
    process = .ending
    effects.append(.kill)
    feed(.outsideLost(reason))
  }

  private mutating func write(_ value: Double) {
    guard case .running(var run) = process else { return }
    if run.isWriting {
      run.next = value
    } else {
      (run.isWriting, run.began) = (true, now)
      effects.append(.send(OutsideLine.value(value).bytes))
      run.late =
        program.isCoprocess
        ? (now + Self.readingTimeout, "\(program.name) does not read its input; it is restarted")
        : (now + Self.timeout, "\(program.name) does not answer")
    }
    process = .running(run)
  }

  private mutating func written() {
    guard case .running(var run) = process, run.isWriting else { return }
    let next = run.next
    counts.writes += 1
    counts.writeTime += now - run.began
    (run.isWriting, run.next, run.late) = (false, nil, nil)
    process = .running(run)
    // The write that the bridge waits for is the newest one, also where an older one was in progress as the two met.
    if let next { write(next) } else { feed(.outsideWritten) }
  }

  /// The program has found its outside, or not.
  private mutating func began(_ change: OutsideChange) {
    if case .running(var run) = process {
      if !run.isWriting { run.late = nil }
      process = .running(run)
    }
    feed(.outside(change))
  }

  private mutating func read(_ bytes: [UInt8], _ run: Run) {
    var run = run
    let lines = run.lines.take(bytes)
    // Empty lines count, too, and bytes of overlong ones as if they were lines.
    let ends = bytes.count { $0 == UInt8(ascii: "\n") }
    for _ in 0..<max(lines.count, ends, bytes.count / OutsideLine.mostBytes) where !run.limit.take(at: now) {
      return fail(
        "\(program.name) writes more than \(Self.linesPerSecond) lines a second; it is restarted")
    }
    process = .running(run)
    for line in lines { if let line = OutsideLine(line, mostBytes: mostBytes) { take(line) } }
  }

  private mutating func take(_ line: OutsideLine) {
    guard case .running(var run) = process else { return }
    var line = line
    if program.isCoprocess, !line.isOfCoprocess {
      line = .unknown("a line that only stepperd-link itself may write")
    }
    switch line {
    case .value(let value): feed(.outside(.value(value)))
    case .terms(let terms): began(.terms(terms))
    case .away(let reason): began(.away(reason))
    case .failed(let reason): fail(reason)
    case .done: written()
    case .unknown(let what):
      if !run.hasNoted {
        effects.append(.note("\(program.name) wrote \(what); further lines of this kind are not logged"))
      }
      run.hasNoted = true
      process = .running(run)
    }
  }
}
