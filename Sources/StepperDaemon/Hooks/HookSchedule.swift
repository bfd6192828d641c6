import StepperConfiguration
import StepperCore

/// When to run a hook's command, and with which event: never two at a time, and of everything that happened while none
/// could start only the latest.
///
/// A value without a clock: ``note(_:at:)`` what happened, ``advance(to:)`` at the deadline, and tell what became of
/// the run.
struct HookSchedule: Hashable {
  var debounce: Duration?
  var interval: Duration?
  var interrupts: Bool
  /// What the next run will tell.
  private var pending: HookEvent?
  private var lastNote: Instant?
  private var lastStart: Instant?
  private var isRunning = false
  private var isInterrupted = false
  /// The previous value of the next run: what the last one that was really started was told, or before the first of
  /// them what the value was before anything changed. nil: nothing has happened yet.
  private var previous: FixedPoint??
  /// When a command may be tried again that could not be started.
  private var retry: Instant?
  /// Events that a later one replaced.
  private(set) var skipped: Int64 = 0

  /// A command that cannot be started is not tried more often, however fast things happen.
  static let pauseAfterFailure = Duration.seconds(1)

  init(_ settings: HookSettings) {
    debounce = settings.debounce
    interval = settings.interval
    interrupts = settings.interrupts
  }

  /// When to start a run; nil while there is nothing to tell, and while one is running: its end decides.
  var deadline: Instant? { isRunning ? nil : due }

  /// When to end the run that is going on for what has happened since; nil: it is waited for.
  var interruption: Instant? { isRunning && interrupts && !isInterrupted ? due : nil }

  private var due: Instant? {
    guard pending != nil, let lastNote else { return nil }
    let settled = lastNote + (debounce ?? .zero)
    return [settled, lastStart.map { $0 + (interval ?? .zero) }, retry].compactMap(\.self).max()
  }

  /// Something happened. It takes the place of what has not been told yet.
  mutating func note(_ event: HookEvent, at now: Instant) {
    if pending != nil { skipped += 1 }
    pending = event
    previous = previous ?? .some(event.previous)
    lastNote = now
  }

  /// What to start a run with, if one is due; it counts as running from here on. Its previous value is what the run
  /// before it was told, so that who adds up the differences misses none.
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
  }

  /// It could not be started. What happened is not told again; the next that happens is, after a pause.
  mutating func failedToStart(at now: Instant) {
    isRunning = false
    retry = now + Self.pauseAfterFailure
  }

  /// Whether the run that is going on is to be ended now.
  mutating func interrupt(at now: Instant) -> Bool {
    guard let interruption, interruption <= now else { return false }
    isInterrupted = true
    return true
  }

  /// The run is over.
  mutating func ended() { (isRunning, isInterrupted) = (false, false) }

  /// Forgets what has not been told yet.
  mutating func clear() { pending = nil }
}
