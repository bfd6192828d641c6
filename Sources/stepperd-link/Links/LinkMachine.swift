internal import StepperBridge
internal import StepperCore
internal import StepperText

/// The counts of a link.
struct LinkCounts: Hashable {
  var starts: Int64 = 0
  /// The number of values that the outside has taken, and the total time that this took.
  var writes: Int64 = 0
  var writeTime = Duration.zero
  var refusals: Int64 = 0
}

/// A link, as a value without a clock, input and output. It has a bridge, and the state of the program that serves the outside. That
/// program is started, killed when it is late or writes too much, and restarted after increasing pauses.
struct LinkMachine {
  enum Input {
    /// An input for the bridge, such as a reply of the daemon or its loss.
    case bridge(BridgeMachine.Input)
    /// The coprocess has loaded its program.
    case loaded
    /// The program has written these bytes.
    case read([UInt8])
    /// The program has read everything that was sent to it.
    case accepted
    /// The program has closed its input.
    case inputClosed
    /// The program has ended or cannot be started, with the reason in words.
    case ended(String)
  }

  enum Effect: Hashable {
    /// Start the program. ``Input/ended(_:)`` follows when it has ended.
    case start
    /// Write to the program's input. ``Input/accepted`` follows.
    case send([UInt8])
    case kill
    /// A call for the bridge, or a report of the bridge.
    case bridge(BridgeMachine.Effect)
    /// A note for the log about a line of the program that has no meaning.
    case note(String)
  }

  /// The name in the log.
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
    /// The program was killed.
    case ending
  }

  /// One run of the program.
  private struct Run {
    var lines: LineSplitter
    /// When and why the program is to be killed.
    var late: (at: Instant, reason: String)?
    var isWriting = false
    /// When the current write began.
    var began = Instant.distantPast
    /// The newest value, which waits for the end of the current write.
    var next: Double?
    var hasNoted = false
    /// The limit of lines that the program may write; more than that is a flood.
    var limit = RateLimit(every: .seconds(1) / LinkMachine.linesPerSecond, burst: LinkMachine.linesPerSecond)
  }

  /// How long a library may take to connect, and to write a value. Libraries with limits of their own fail earlier.
  private static let timeout = Duration.seconds(12)
  /// How long a coprocess may take to read a line.
  private static let readingTimeout = Duration.seconds(5)
  private static let linesPerSecond = 2_000
  /// The most bytes of a line with the values of a mixer.
  private static let longestLine = 128 << 10

  init(_ name: String, _ program: OutsideProgram, control: String, rules: BridgeRules) {
    (self.name, self.program) = (name, program)
    bridge = BridgeMachine(control, program.scale, rules)
  }

  var control: String { bridge.control }

  /// Whether a value is under way from one side to the other.
  var isWriting: Bool {
    if case .running(let run) = process, run.isWriting { true } else { bridge.isWriting }
  }

  /// When to advance the machine next if there is no input; nil: only when there is one.
  var deadline: Instant? {
    var late: Instant?
    if case .running(let run) = process { late = run.late?.at }
    return [retry.at, late, bridge.deadline.map(BridgeClock.instant)].compactMap(\.self).min()
  }

  /// Advances to `now`, applies `input`, and returns what to do, in order.
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
      // A coprocess need not write a value.
      feed(.outside(.value(nil)))
    case (.read(let bytes), .running(let run)): read(bytes, run)
    // Other programs report the end of a write themselves.
    case (.accepted, .running): if program.isCoprocess { written() }
    case (.inputClosed, .running(var run)):
      // The program's end, which has a reason, usually follows at once.
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

  /// The most bytes of a line of the program.
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
    // The bridge waits for the newest write, even if an older one was in progress when the two sides met.
    if let next { write(next) } else { feed(.outsideWritten) }
  }

  /// The program has found its outside, or reports that it is away.
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
    // Empty lines count as well, and so do the bytes of overlong lines, as if they were lines.
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
