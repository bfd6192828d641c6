import StepperCore
import StepperSystem
import SystemPackage

/// One run of a command on the event loop, from its start until it is reaped.
final class HookRun {
  private let loop: EventLoop
  private var command: RunningCommand
  private var timeouts: RunTimeouts
  private var lines = OutputLines()
  /// nil after the end of reading.
  private var reading: OutputPace? = OutputPace()
  private var hasEnded = false
  /// Receives the lines of the output, and as the last event the outcome, once.
  private unowned let runner: HookRunner

  struct Outcome: Hashable {
    var status: RunningCommand.Status
    /// Whether it was ended because of its timeout.
    var hasTimedOut: Bool
    var isCancelled: Bool
    /// Whether processes that it left behind held its output open and were ended too.
    var leftProcesses: Bool
  }

  /// Bytes of a read; one page, to keep wakeups short.
  private static let chunk = 4_096

  init(
    _ arguments: [String], environment: [String: String], timeout: Duration, on loop: EventLoop,
    at now: Instant, for runner: HookRunner
  ) throws(SpawnFailure) {
    self.loop = loop
    self.runner = runner
    command = try RunningCommand.start(arguments, environment: environment)
    timeouts = RunTimeouts(timeout: timeout, startedAt: now)
    do throws(Errno) {
      try loop.watch(command.endDescriptor, priority: .client) { [unowned self] _, now in end(at: now) }
      try loop.watch(command.outputDescriptor, priority: .client) { [unowned self] _, now in read(at: now) }
    } catch {
      loop.unwatch(command.endDescriptor)
      // Its end can only be waited for; a killed command ends without delay.
      command.kill()
      command.waitForEnd(until: .now + .milliseconds(100))
      _ = command.finish()
      throw SpawnFailure(program: arguments.first ?? "", errno: error)
    }
  }

  // MARK: Time

  var deadline: Instant? { .earliest(timeouts.deadline, reading?.deadline) }

  func advance(to now: Instant) {
    if reading?.resume(at: now) == true { loop.change(command.outputDescriptor, to: .readable) }
    perform(timeouts.advance(to: now), at: now)
  }

  func cancel(at now: Instant) { perform(timeouts.terminate(at: now), at: now) }

  private func perform(_ action: RunTimeouts.Action?, at now: Instant) {
    switch action {
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
      for line in lines.append(bytes) { runner.wrote(line) }
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

  /// Reads the remaining bytes in the pipe, up to the size of a pipe.
  private func readRest() {
    for _ in 0..<(65_536 / Self.chunk) {
      guard reading != nil, case .bytes(let bytes) = command.readOutput(limit: Self.chunk) else { break }
      for line in lines.append(bytes) { runner.wrote(line) }
    }
  }

  // MARK: End

  /// The command has ended; its output ends soon, unless processes that it left behind hold it open.
  private func end(at now: Instant) {
    loop.unwatch(command.endDescriptor)
    hasEnded = true
    timeouts.commandEnded(at: now)
    if reading == nil { finish(at: now) }
  }

  private func finish(at now: Instant) {
    // The check is needed only while the output is open.
    let leftProcesses = reading != nil && command.hasLeftovers
    readRest()
    stopReading()
    loop.unwatch(command.endDescriptor)
    for line in lines.finish() { runner.wrote(line) }
    runner.ended(
      Outcome(
        status: command.finish() ?? .unknown, hasTimedOut: timeouts.hasTimedOut,
        isCancelled: timeouts.isCancelled, leftProcesses: leftProcesses), at: now)
  }

  // MARK: Shutdown

  /// Kills the command without waiting for it.
  func kill() { command.kill() }

  /// Blocks until it has ended or until `deadline`. Only for a daemon that stops.
  func waitForEnd(until deadline: Instant) {
    command.waitForEnd(until: deadline)
    if command.hasEnded { finish(at: .now) }
  }
}

/// The rate at which output is read: a command that writes continuously waits, so that devices do not.
struct OutputPace: Hashable {
  static let bytes = 256 << 10
  static let interval = Duration.milliseconds(100)

  private var began: Instant?
  private var count = 0
  /// The end of the pause; nil without a pause.
  private(set) var deadline: Instant?

  mutating func mustPause(after bytes: Int, at now: Instant) -> Bool {
    if began.map({ now - $0 >= Self.interval }) ?? true { (began, count) = (now, 0) }
    count += bytes
    guard count >= Self.bytes, let began, deadline == nil else { return false }
    deadline = began + Self.interval
    return true
  }

  /// Whether a pause has ended.
  mutating func resume(at now: Instant) -> Bool {
    guard let deadline, deadline <= now else { return false }
    self.deadline = nil
    return true
  }
}
