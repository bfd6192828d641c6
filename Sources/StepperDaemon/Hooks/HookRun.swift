import StepperCore
import StepperLinux
import SystemPackage

/// One run of a command on the event loop, from the beginning of its start until it is reaped.
///
/// The handlers of the loop only note what is ready; ``advance(to:)`` does the work.
final class HookRun {
  private let loop: EventLoop
  /// The start of the command, while its program is being loaded.
  private var start: CommandStart?
  private var command: RunningCommand?
  private var timeouts: RunTimeouts
  private var lines = OutputLines()
  /// nil: the output is no longer read.
  private var reading: OutputPace? = OutputPace()
  private var ready: Readiness = []
  private var hasEnded = false
  /// Why the command was killed right after its start.
  private var failure: SpawnFailure?
  /// When the start of the command began.
  let began: Instant
  private let program: String

  /// What has happened in a run.
  enum Event {
    /// The program is loaded.
    case started
    case wrote(String)
    /// The last event: the command did not run.
    case failed(SpawnFailure)
    /// The last event.
    case ended(Outcome)
  }

  struct Outcome: Hashable {
    var status: RunningCommand.Status
    /// Whether the command was ended because of its timeout.
    var hasTimedOut: Bool
    var isCancelled: Bool
    /// Whether the command left processes behind that held its output open and were ended too.
    var leftProcesses: Bool
  }

  private struct Readiness: OptionSet {
    let rawValue: UInt8

    static let start = Readiness(rawValue: 1)
    static let output = Readiness(rawValue: 2)
    static let end = Readiness(rawValue: 4)
  }

  /// Maximum number of bytes of a read: one page, to keep wakeups short.
  private static let chunk = 4_096

  init(
    _ arguments: [String], environment: [String: String], timeout: Duration, on loop: EventLoop,
    at now: Instant
  ) throws(SpawnFailure) {
    self.loop = loop
    began = now
    program = arguments.first ?? ""
    timeouts = RunTimeouts(timeout: timeout, startedAt: now)
    let start = try CommandStart(arguments, environment: environment)
    self.start = start
    do throws(Errno) {
      try watch(start.rawDescriptor, as: .start)
    } catch {
      throw SpawnFailure(program: program, errno: error)
    }
  }

  private func watch(_ descriptor: CInt, as readiness: Readiness) throws(Errno) {
    try loop.watch(descriptor, priority: .client) { [weak self] _, _ in
      _ = self?.ready.insert(readiness)
    }
  }

  // MARK: Time

  /// Whether its program is still being loaded.
  var isStarting: Bool { start != nil }

  /// Whether ``advance(to:)`` has more to do than to check the time.
  var hasWork: Bool { !ready.isEmpty }

  var deadline: Instant? { .earliest(timeouts.deadline, reading?.deadline) }

  /// Signals the command if its time is up, and goes on reading after a pause.
  func keepTime(at now: Instant) {
    if reading?.resume(at: now) == true, let output = command?.outputDescriptor {
      loop.change(output, to: .readable)
    }
    perform(timeouts.advance(to: now))
  }

  /// Does what is ready; returns what has happened.
  func advance(to now: Instant) -> [Event] {
    var events: [Event] = []
    if ready.remove(.start) != nil, let result = start?.takeResult() { take(result, at: now, &events) }
    if ready.remove(.output) != nil { read(at: now, &events) }
    if ready.remove(.end) != nil { end(at: now) }
    if isOver { finish(&events) }
    return events
  }

  func cancel(at now: Instant) { perform(timeouts.terminate(at: now)) }

  private func perform(_ action: RunTimeouts.Action?) {
    switch action {
    case .terminate where start != nil, .kill where start != nil: start?.cancel()
    case .terminate: command?.terminate()
    case .kill: command?.kill()
    case .finish: ready.insert(.end)
    case nil: break
    }
  }

  // MARK: Start

  private func take(
    _ result: consuming Result<RunningCommand, SpawnFailure>, at now: Instant, _ events: inout [Event]
  ) {
    if let start { loop.unwatch(start.rawDescriptor) }
    start = nil
    switch consume result {
    case .failure(let failure):
      events.append(timeouts.isEnding ? .ended(outcome(.unknown)) : .failed(failure))
    case .success(let command): take(command, at: now, &events)
    }
  }

  private func take(_ command: consuming RunningCommand, at now: Instant, _ events: inout [Event]) {
    let (end, output) = (command.endDescriptor, command.outputDescriptor)
    self.command = consume command
    do throws(Errno) {
      try watch(end, as: .end)
      try watch(output, as: .output)
      if !timeouts.isEnding { events.append(.started) }
    } catch {
      // The command cannot be watched. It is killed now, and reaped a moment later.
      failure = SpawnFailure(program: program, errno: error)
      kill()
      stopReading()
      timeouts.commandEnded(at: now)
    }
  }

  // MARK: Output

  private func read(at now: Instant, _ events: inout [Event]) {
    guard reading != nil, let output = command?.readOutput(limit: Self.chunk) else { return }
    switch output {
    case .bytes(let bytes):
      events += lines.append(bytes).map { .wrote($0) }
      if reading?.mustPause(after: bytes.count, at: now) == true, let output = command?.outputDescriptor {
        loop.change(output, to: [])
      }
    case .nothingYet: break
    case .end: stopReading()
    }
  }

  private func stopReading() {
    guard reading != nil, let output = command?.outputDescriptor else { return }
    reading = nil
    loop.unwatch(output)
  }

  /// Reads the remaining bytes in the pipe, up to the size of a pipe.
  private func readRest(_ events: inout [Event]) {
    for _ in 0..<(65_536 / Self.chunk) {
      guard reading != nil, case .bytes(let bytes)? = command?.readOutput(limit: Self.chunk) else { break }
      events += lines.append(bytes).map { .wrote($0) }
    }
  }

  // MARK: End

  /// The command has ended; its output ends soon, unless processes that it left behind hold it open.
  private func end(at now: Instant) {
    guard let command = command?.endDescriptor, !hasEnded else { return }
    loop.unwatch(command)
    hasEnded = true
    timeouts.commandEnded(at: now)
  }

  private var isOver: Bool { hasEnded && (reading == nil || timeouts.deadline == nil) }

  private func finish(_ events: inout [Event]) {
    let isOpen = reading != nil
    readRest(&events)
    stopReading()
    events += lines.finish().map { .wrote($0) }
    var outcome = outcome(command?.finish() ?? .unknown)
    outcome.leftProcesses = isOpen && command?.leftProcesses == true
    events.append(failure.map { .failed($0) } ?? .ended(outcome))
  }

  private func outcome(_ status: RunningCommand.Status) -> Outcome {
    Outcome(
      status: status, hasTimedOut: timeouts.hasTimedOut, isCancelled: timeouts.isCancelled,
      leftProcesses: false)
  }

  // MARK: Shutdown

  /// Kills the command without waiting for it.
  func kill() {
    start?.cancel()
    command?.kill()
  }

  /// Blocks until the command has ended or until `deadline`; returns what has happened. Only for a daemon that stops.
  func waitForEnd(until deadline: Instant) -> [Event] {
    var events: [Event] = []
    if let result = start?.waitForResult(until: deadline) { take(result, at: .now, &events) }
    command?.waitForEnd(until: deadline)
    if command?.hasEnded == true {
      end(at: .now)
      finish(&events)
    }
    return events
  }
}
