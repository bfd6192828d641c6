import StepperConfiguration
import StepperCore

/// When to run the command of a hook, and with which event: one run at a time, and only the latest of the events that
/// occurred while none could start.
///
/// A value without a clock: call ``note(_:at:)`` for each event and ``advance(to:)`` at the deadline, and report the
/// result of each run.
struct HookSchedule: Hashable {
  var debounce: Duration?
  var interval: Duration?
  var interrupts: Bool
  /// The event of the next run.
  private var pending: HookEvent?
  private var lastNote: Instant?
  private var lastStart: Instant?
  private var isRunning = false
  /// Whether the run was started. A run that has not started yet is not interrupted; otherwise a storm of events would
  /// let none start.
  private var isStarted = false
  private var isInterrupted = false
  /// The previous value of the next run: the value of the last run that was started, or before the first run the
  /// value before the first event. nil: no event yet.
  private var previous: FixedPoint??
  /// The earliest time of the next attempt after a command could not be started.
  private var retry: Instant?
  /// The number of events that a later event replaced.
  private(set) var skipped: Int64 = 0

  /// Minimum time between two attempts to start a command after a failure.
  static let pauseAfterFailure = Duration.seconds(1)

  init(_ settings: HookSettings) {
    debounce = settings.debounce
    interval = settings.interval
    interrupts = settings.interrupts
  }

  /// When to start a run; nil without a pending event, and during a run.
  var deadline: Instant? { isRunning ? nil : due }

  /// When to end the current run in favour of the pending event; nil: wait for its end.
  var interruption: Instant? { isStarted && interrupts && !isInterrupted ? due : nil }

  private var due: Instant? {
    guard pending != nil, let lastNote else { return nil }
    let settled = lastNote + (debounce ?? .zero)
    return [settled, lastStart.map { $0 + (interval ?? .zero) }, retry].compactMap(\.self).max()
  }

  /// Records an event. It replaces the pending one.
  mutating func note(_ event: HookEvent, at now: Instant) {
    if pending != nil { skipped += 1 }
    pending = event
    previous = previous ?? .some(event.previous)
    lastNote = now
  }

  /// Whether a run is due at `now`.
  func isDue(at now: Instant) -> Bool { deadline.map { $0 <= now } ?? false }

  /// The event to start a run with, if one is due; the run counts as running from now on. Its previous value is that
  /// of the previous run, so that the sum of the differences is exact.
  mutating func advance(to now: Instant) -> HookEvent? {
    guard let deadline, deadline <= now, var event = pending else { return nil }
    pending = nil
    isRunning = true
    if let previous { event.previous = previous }
    return event
  }

  /// The run for `event` was started.
  mutating func started(_ event: HookEvent, at now: Instant) {
    (previous, lastStart, retry) = (.some(event.value), now, nil)
    isStarted = true
  }

  /// The run could not be started. Its event is discarded, and the next event is used after a pause. If `event` is
  /// given and no other event is pending, `event` is used again.
  mutating func failedToStart(at now: Instant, keeping event: HookEvent? = nil) {
    isRunning = false
    pending = pending ?? event
    retry = now + Self.pauseAfterFailure
  }

  /// Whether the current run must be ended now.
  mutating func interrupt(at now: Instant) -> Bool {
    guard let interruption, interruption <= now else { return false }
    isInterrupted = true
    return true
  }

  /// The run has ended.
  mutating func ended() { (isRunning, isStarted, isInterrupted) = (false, false, false) }

  /// Discards the pending event.
  mutating func clear() { pending = nil }
}
