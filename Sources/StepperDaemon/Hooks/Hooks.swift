import StepperConfiguration
import StepperCore
import StepperLinux

/// The hooks of all controls.
final class Hooks {
  /// One hook: its control, and its command.
  struct Entry: Hashable {
    /// Empty for a hook of the whole board.
    var control: String
    var settings: HookSettings

    /// `CONTROL HOOK`, or `HOOK` for the whole board. Identifies the hook, also in the log.
    var name: String { control.isEmpty ? settings.name : "\(control) \(settings.name)" }
  }

  private struct Occasion: Hashable {
    var control: String
    var occasion: HookOccasion
  }

  private let loop: EventLoop
  private let journal: Journal
  private let environment: [String: String]
  private let details: (HookEvent) -> [String: String?]
  /// The clock that measures the work.
  private let clock: () -> Instant
  private var runners: [String: HookRunner] = [:]
  /// Removed hooks whose commands have not ended.
  private var retired: [String: HookRunner] = [:]
  private var listeners: [Occasion: [HookRunner]] = [:]
  /// Runners with a command or a deadline, including retired ones. The others are skipped when time passes.
  private var busy: [HookRunner] = []

  /// `environment` is the environment of all commands: ``HookEvent/baseEnvironment(address:inheriting:)``; `details`
  /// provides more placeholders of an event when a command is started.
  init(
    _ entries: [Entry], loop: EventLoop, journal: Journal, environment: [String: String],
    details: @escaping (HookEvent) -> [String: String?] = { _ in [:] },
    clock: @escaping () -> Instant = { .now }
  ) {
    self.loop = loop
    self.journal = journal
    self.environment = environment
    self.clock = clock
    self.details = details
    configure(entries, at: .now)
  }

  /// Whether any hook runs on `occasion` of `control`; otherwise the event need not be created.
  func listen(to occasion: HookOccasion, of control: String) -> Bool {
    listeners[Occasion(control: control, occasion: occasion)] != nil
  }

  func note(_ event: HookEvent, at now: Instant) { note(event, at: now) { _ in true } }

  /// Records the present value for the hooks that run at the start.
  func noteStart(_ event: HookEvent, at now: Instant) { note(event, at: now, where: \.runsAtStart) }

  private func note(_ event: HookEvent, at now: Instant, where isMeant: (HookRunner) -> Bool) {
    let all = listeners[Occasion(control: event.control, occasion: event.occasion)] ?? []
    for runner in all where isMeant(runner) {
      runner.note(event, at: now)
      if !busy.contains(where: { $0 === runner }) { busy.append(runner) }
    }
  }

  private var all: [HookRunner] { Array(runners.values) + retired.values }

  /// Counters of each configured hook, by its name.
  var counters: [String: HookCounters] { runners.mapValues(\.counters) }

  /// The latest time of the next ``advance(to:)``.
  var deadline: Instant? {
    busy.reduce(nextTurn) { .earliest($0, $1.deadline) }
  }

  /// When the next waiting start has its turn, if nothing else happens before.
  private var nextTurn: Instant?
  /// The index of the runner in ``busy`` that is checked first for work.
  private var firstWithWork = 0
  /// The time for reading output, ends and starts in a wakeup.
  private var budget = WorkBudget(WakeupTime.hooks)

  /// Maximum number of programs that are loaded at once. A wakeup starts as many more as this permits. On a machine
  /// with few processors they are loaded one after another.
  nonisolated static let mostStarting = 8
  /// A program that takes longer to load is waiting for its file system, not for a processor, and no longer counts:
  /// others are loaded meanwhile.
  static let slowStart = Duration.seconds(1)

  /// The number of programs that are being loaded.
  var startingCount: Int { busy.count { $0.startingSince != nil } }

  /// Reads the output of commands, ends those that exceed their timeouts, and starts pending ones, within the time of a
  /// wakeup; the rest follows in the next ones.
  func advance(to now: Instant) {
    guard !busy.isEmpty else { return }
    for runner in busy { runner.keepTime(at: now) }
    budget.renew()
    var began: Instant?
    advanceRunning(at: now, &began)
    startWaiting(at: now, &began)
    busy.removeAll { !$0.isBusy }
    if !retired.isEmpty { removeEnded() }
  }

  /// Processes the output and ends of running commands. Runners without a turn are ready in the next wakeup, and then come first.
  private func advanceRunning(at now: Instant, _ began: inout Instant?) {
    let first = firstWithWork
    for offset in busy.indices {
      let index = (first + offset) % busy.count
      guard busy[index].hasWork else { continue }
      firstWithWork = index
      guard !budget.isSpent else { return }
      spend(since: &began) { busy[index].advance(to: now) }
    }
  }

  /// Starts waiting commands in the order in which they became due.
  private func startWaiting(at now: Instant, _ began: inout Instant?) {
    nextTurn = nil
    let waiting = busy.filter { $0.waitingSince != nil }
    guard !waiting.isEmpty else { return }
    let loading = busy.compactMap(\.startingSince).filter { now - $0 < Self.slowStart }
    let next = waiting.sorted { ($0.waitingSince ?? now) < ($1.waitingSince ?? now) }
    var free = Self.mostStarting - loading.count
    for runner in next {
      guard free > 0, !budget.isSpent else {
        nextTurn = free > 0 ? now : (loading.min() ?? now) + Self.slowStart
        return
      }
      spend(since: &began) { runner.start(at: now) }
      free -= 1
    }
  }

  private func spend(since began: inout Instant?, _ work: () -> Void) {
    let start = began ?? clock()
    work()
    let end = clock()
    budget.spend(end - start)
    began = end
  }

  private func removeEnded() { retired = retired.filter { $0.value.isRunning } }

  /// Whether no command is running or pending.
  var isIdle: Bool { all.allSatisfy(\.isIdle) }

  /// The hooks whose last run failed, with the reason, the newest failure first.
  var failures: [String] {
    all.compactMap(\.failure).sorted { $0.time > $1.time }.map(\.problem)
  }

  /// The number of changes of ``failures``.
  private(set) var revision = 0

  /// Applies a new configuration. A hook is identified by its control and its name: an existing hook continues, and
  /// so does its run if the command is the same; other runs are ended.
  func configure(_ entries: [Entry], at now: Instant) {
    var known = retired.merging(runners) { $1 }
    (runners, retired, listeners) = ([:], [:], [:])
    for entry in entries {
      let runner = runners[entry.name] ?? known.removeValue(forKey: entry.name) ?? runner(for: entry)
      runner.reconfigure(entry.settings, at: now)
      runners[entry.name] = runner
      for occasion in entry.settings.occasions {
        listeners[Occasion(control: entry.control, occasion: occasion), default: []].append(runner)
      }
    }
    for runner in known.values { runner.retire(at: now) }
    retired = known
    removeEnded()
    busy = all.filter(\.isBusy)
  }

  private func runner(for entry: Entry) -> HookRunner {
    HookRunner(
      entry.name, entry.settings, loop: loop, journal: journal, environment: environment, details: details,
      noteFailure: { [weak self] in self?.revision += 1 })
  }

  /// The time that a daemon that stops waits for all commands after SIGTERM, and again after SIGKILL.
  private static let stopTimeout = Duration.milliseconds(50)

  /// Ends all commands, with SIGTERM and then SIGKILL, which takes at most a tenth of a second, and starts no further
  /// ones.
  func stop(at now: Instant) {
    for runner in all { runner.retire(at: now) }
    waitForEnds()
    for runner in all { runner.kill() }
    waitForEnds()
  }

  private func waitForEnds() {
    let deadline = Instant.now + Self.stopTimeout
    for runner in all { runner.waitForEnd(until: deadline) }
  }
}
