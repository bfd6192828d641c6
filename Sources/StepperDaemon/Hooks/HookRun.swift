import StepperCore
import StepperSystem
import SystemPackage

/// One run of a command on the event loop, from its start until it is reaped.
final class HookRun {
  private let loop: EventLoop
  private var command: RunningCommand
  private var patience: RunPatience
  private var lines = OutputLines()
  /// nil once nothing more is read.
  private var reading: OutputPace? = OutputPace()
  private var hasEnded = false
  private let delegate: Delegate

  /// Who is told. ``ended`` comes once, last.
  struct Delegate {
    var wrote: (_ line: String) -> Void
    var ended: (_ outcome: Outcome, _ now: Instant) -> Void
  }

  struct Outcome: Hashable {
    var status: RunningCommand.Status
    /// Whether it was ended because it took too long.
    var hasTimedOut: Bool
    /// Whether it was ended because it was not wanted any more.
    var isCancelled: Bool
    /// Whether something it started outlived it with its output open, and was ended too.
    var leftSomething: Bool
  }

  /// Of a read; a page, so that no wakeup is long.
  private static let chunk = 4_096

  init(
    _ arguments: [String], environment: [String: String], timeout: Duration, on loop: EventLoop,
    at now: Instant, delegate: Delegate
  ) throws(SpawnFailure) {
    self.loop = loop
    self.delegate = delegate
    command = try RunningCommand.start(arguments, environment: environment)
    patience = RunPatience(timeout: timeout, startedAt: now)
    do throws(Errno) {
      try loop.watch(command.endDescriptor, priority: .client) { [unowned self] _, now in end(at: now) }
      try loop.watch(command.outputDescriptor, priority: .client) { [unowned self] _, now in read(at: now) }
    } catch {
      loop.unwatch(command.endDescriptor)
      // There is no other way left to hear of its end; a killed command takes no time for it.
      command.kill()
      command.waitForEnd(until: .now + .milliseconds(100))
      _ = command.finish()
      throw SpawnFailure(program: arguments.first ?? "", errno: error)
    }
  }

  // MARK: Time

  var deadline: Instant? { [patience.deadline, reading?.deadline].compactMap(\.self).min() }

  func advance(to now: Instant) {
    if reading?.resume(at: now) == true { loop.change(command.outputDescriptor, to: .readable) }
    perform(patience.advance(to: now), at: now)
  }

  /// It is not wanted any more.
  func cancel(at now: Instant) { perform(patience.terminate(at: now), at: now) }

  private func perform(_ order: RunPatience.Order?, at now: Instant) {
    switch order {
    case .terminate: command.terminate()
    case .kill: command.kill()
    case .finish: finish(at: now)
    case nil: break
    }
  }

  // MARK: Output

  private func read(at now: Instant) {
    switch command.readOutput(limit: Self.chunk) {
    case .bytes(let bytes):
      for line in lines.append(bytes) { delegate.wrote(line) }
      if reading?.mustPause(after: bytes.count, at: now) == true {
        loop.change(command.outputDescriptor, to: [])
      }
    case .nothingYet: break
    case .end:
      stopReading()
      if hasEnded { finish(at: now) }
    }
  }

  private func stopReading() {
    guard reading != nil else { return }
    reading = nil
    loop.unwatch(command.outputDescriptor)
  }

  /// What is in the pipe already, and no more of it than a pipe holds.
  private func readRest() {
    for _ in 0..<(65_536 / Self.chunk) {
      guard reading != nil, case .bytes(let bytes) = command.readOutput(limit: Self.chunk) else { break }
      for line in lines.append(bytes) { delegate.wrote(line) }
    }
  }

  // MARK: End

  /// The command has ended; its output is over now or very soon, unless it left something behind that holds it.
  private func end(at now: Instant) {
    loop.unwatch(command.endDescriptor)
    hasEnded = true
    patience.commandEnded(at: now)
    if reading == nil { finish(at: now) }
  }

  private func finish(at now: Instant) {
    // While something holds the output, it is worth a look.
    let leftSomething = reading != nil && command.hasLeftovers
    readRest()
    stopReading()
    loop.unwatch(command.endDescriptor)
    for line in lines.finish() { delegate.wrote(line) }
    delegate.ended(
      Outcome(
        status: command.finish() ?? .unknown, hasTimedOut: patience.hasTimedOut,
        isCancelled: patience.isCancelled, leftSomething: leftSomething), now)
  }

  // MARK: Shutdown

  /// Ends it now, without waiting for it.
  func kill() { command.kill() }

  /// Blocks until it has ended, but no longer than until `deadline`. Only for a daemon that stops.
  func waitForEnd(until deadline: Instant) {
    command.waitForEnd(until: deadline)
    if command.hasEnded { finish(at: .now) }
  }
}

/// How fast output is read: a command that writes without end waits, and not the knob.
struct OutputPace: Hashable {
  static let bytes = 256 << 10
  static let interval = Duration.milliseconds(100)

  private var began: Instant?
  private var count = 0
  /// When to read on; nil while there is no pause.
  private(set) var deadline: Instant?

  mutating func mustPause(after bytes: Int, at now: Instant) -> Bool {
    if began.map({ now - $0 >= Self.interval }) ?? true { (began, count) = (now, 0) }
    count += bytes
    guard count >= Self.bytes, let began, deadline == nil else { return false }
    deadline = began + Self.interval
    return true
  }

  /// Whether a pause is over.
  mutating func resume(at now: Instant) -> Bool {
    guard let deadline, deadline <= now else { return false }
    self.deadline = nil
    return true
  }
}
