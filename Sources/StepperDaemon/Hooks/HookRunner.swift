import StepperConfiguration
import StepperCore
import StepperLinux

/// Results of the runs of a hook since the start of the daemon, which ``MetricFamily`` describes.
struct HookCounters: Hashable {
  var runs: Int64 = 0
  var failures: Int64 = 0
  var timeouts: Int64 = 0
  var skipped: Int64 = 0
}

/// Runs the command of one hook of one control, one run at a time, without waiting for it.
///
/// ``note(_:at:)`` records an event; ``Hooks/advance(to:)`` starts commands after devices and clients were served, with
/// the last event of the wakeup.
final class HookRunner {
  /// The name of the hook in the log.
  private let name: String
  private var settings: HookSettings
  private let loop: EventLoop
  private let journal: Journal
  private let environment: [String: String]
  private let details: (HookEvent) -> [String: String?]
  private var schedule: HookSchedule
  private var run: HookRun?
  /// The event of ``run``.
  private var event: HookEvent?
  private var report = FailureReport()
  private var count = HookCounters()
  /// Whether no further commands are started.
  private var isRetired = false
  private var hasReportedLeftovers = false
  /// The time and the description of the failure, with the name of the hook, if the last run failed.
  private(set) var failure: (time: Instant, problem: String)? {
    didSet { if failure?.problem != oldValue?.problem { noteFailure() } }
  }
  /// Called when ``failure`` has changed.
  private let noteFailure: () -> Void

  /// `environment` is added to the variables of the event: ``HookEvent/baseEnvironment(address:inheriting:)``.
  init(
    _ name: String, _ settings: HookSettings, loop: EventLoop, journal: Journal,
    environment: [String: String], details: @escaping (HookEvent) -> [String: String?],
    noteFailure: @escaping () -> Void
  ) {
    self.name = name
    self.settings = settings
    self.loop = loop
    self.journal = journal
    self.environment = environment
    self.details = details
    self.noteFailure = noteFailure
    schedule = HookSchedule(settings)
  }

  var isRunning: Bool { run != nil }
  /// Whether the command is run at the start and after a reload too.
  var runsAtStart: Bool { settings.runsAtStart }
  /// Whether no command is running or pending.
  var isIdle: Bool { run == nil && schedule.deadline == nil }

  var counters: HookCounters {
    var counters = count
    counters.skipped = schedule.skipped
    return counters
  }

  // MARK: Events and time

  func note(_ event: HookEvent, at now: Instant) {
    guard !isRetired else { return }
    schedule.note(event, at: now)
  }

  var deadline: Instant? {
    .earliest(
      .earliest(nextStart, schedule.interruption), .earliest(run?.deadline, report.deadline))
  }

  /// When a start becomes due. A start that was already due at the last ``keepTime(at:)`` waits for its turn, without a deadline.
  private var nextStart: Instant? { schedule.deadline.flatMap { $0 > lastTime ? $0 : nil } }

  private var lastTime = Instant.distantPast
  /// Since when a start has been due; nil: no start is due.
  private(set) var waitingSince: Instant?

  /// Since when the program has been loading; nil: it is not loading.
  var startingSince: Instant? { run.flatMap { $0.isStarting ? $0.began : nil } }
  /// Whether ``advance(to:)`` has something to do.
  var hasWork: Bool { run?.hasWork ?? false }

  /// Ends a command whose time is up.
  func keepTime(at now: Instant) {
    lastTime = now
    run?.keepTime(at: now)
    if schedule.interrupt(at: now) { run?.cancel(at: now) }
    if let summary = report.advance(to: now) { journal.warning(.hook, "\(name): \(summary)") }
    waitingSince = schedule.isDue(at: now) ? waitingSince ?? now : nil
  }

  /// Whether a command is running, a start waits for its turn, or something has a deadline.
  var isBusy: Bool { isRunning || waitingSince != nil || deadline != nil }

  /// Processes the output and the end of the command.
  func advance(to now: Instant) {
    for event in run?.advance(to: now) ?? [] { take(event, at: now) }
    waitingSince = schedule.isDue(at: now) ? waitingSince ?? now : nil
  }

  /// Begins to start the command with the pending event.
  func start(at now: Instant) {
    waitingSince = nil
    guard let event = schedule.advance(to: now) else { return }
    self.event = event
    let placeholders = event.placeholders(details(event))
    do throws(SpawnFailure) {
      run = try HookRun(
        settings.command(with: placeholders),
        environment: HookEvent.environment(of: settings.name, placeholders, over: environment),
        timeout: settings.timeout, on: loop, at: now)
    } catch {
      failedToStart(error, at: now)
    }
  }

  private func take(_ event: HookRun.Event, at now: Instant) {
    switch event {
    case .started:
      if let event = self.event, let run { schedule.started(event, at: run.began) }
      count.runs += 1
    case .wrote(let line): journal.quote(.hook, name, line)
    case .failed(let failure): failedToStart(failure, at: now)
    case .ended(let outcome): ended(outcome, at: now)
    }
  }

  private func failedToStart(_ failure: SpawnFailure, at now: Instant) {
    run = nil
    schedule.failedToStart(at: now, keeping: failure.isShortage && !isRetired ? event : nil)
    fail("\(failure)", at: now)
  }

  private func ended(_ outcome: HookRun.Outcome, at now: Instant) {
    run = nil
    schedule.ended()
    guard !outcome.isCancelled else { return }
    if outcome.hasTimedOut { count.timeouts += 1 }
    if let reason = outcome.failure(timeout: settings.timeout) { return fail(reason, at: now) }
    failure = nil
    guard outcome.leftProcesses, !hasReportedLeftovers else { return }
    hasReportedLeftovers = true
    journal.notice(
      .hook,
      "\(name): processes that it left running were ended; a program that must continue needs setsid and a separate output"
    )
  }

  private func fail(_ reason: String, at now: Instant) {
    count.failures += 1
    failure = (now, "\(name): \(reason)")
    if let message = report.failed(reason, at: now) { journal.warning(.hook, "\(name): \(message)") }
  }

  // MARK: Reload and shutdown

  /// Applies other settings. The run of a changed command is ended; the new command is started with the pending
  /// event, if any.
  func reconfigure(_ new: HookSettings, at now: Instant) {
    if new.command != settings.command {
      run?.cancel(at: now)
      report = FailureReport()
      failure = nil
    }
    settings = new
    (schedule.debounce, schedule.interval, schedule.interrupts) = (new.debounce, new.interval, new.interrupts)
    isRetired = false
  }

  /// Starts no further commands, and terminates the running one.
  func retire(at now: Instant) {
    isRetired = true
    schedule.clear()
    run?.cancel(at: now)
  }

  /// Blocks until the command has ended or until `deadline`. Only for a daemon that stops.
  func waitForEnd(until deadline: Instant) {
    for event in run?.waitForEnd(until: deadline) ?? [] { take(event, at: .now) }
  }

  /// Kills the command without waiting for it.
  func kill() { run?.kill() }
}

extension HookRun.Outcome {
  /// The reason of the failure, if the run failed.
  fileprivate func failure(timeout: Duration) -> String? {
    if hasTimedOut { return "took longer than \(timeout.milliseconds) ms and was ended" }
    return switch status {
    case .exited(0): nil
    case .exited(let code): "exited with status \(code)"
    case .signaled(let number): "was ended by signal \(number)"
    case .unknown: "was reaped by another part of the process"
    }
  }
}
