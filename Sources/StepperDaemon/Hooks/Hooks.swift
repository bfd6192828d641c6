import StepperConfiguration
import StepperCore
import StepperSystem

/// The hooks of all controls.
final class Hooks {
  /// One hook: which control's moments it hears, and what it runs.
  struct Entry: Hashable {
    var control: String
    var settings: HookSettings
    /// nil: changes of the value, whoever makes them.
    var moments: Set<Moment>?

    fileprivate var name: Name { Name(control: control, hook: settings.name) }
  }

  fileprivate struct Name: Hashable {
    var control: String
    var hook: String
  }

  private struct Occasion: Hashable {
    var control: String
    /// nil: a change of the value.
    var moment: Moment?
  }

  private let loop: EventLoop
  private let journal: Journal
  private let environment: [String: String]
  private let words: (HookEvent) -> HookWords
  private var runners: [Name: HookRunner] = [:]
  /// Those that are not configured any more, until their commands have ended.
  private var leaving: [Name: HookRunner] = [:]
  /// What became of the runs of those that are gone.
  private var past = HookCounters()
  private var listeners: [Occasion: [HookRunner]] = [:]

  /// `environment` is what all commands get: ``HookEvent/baseEnvironment(address:inheriting:)``.
  ///
  /// `words` says of an event what is only asked for when a command is started.
  init(
    _ entries: [Entry], loop: EventLoop, journal: Journal, environment: [String: String],
    words: @escaping (HookEvent) -> HookWords = { _ in HookWords() }
  ) {
    self.loop = loop
    self.journal = journal
    self.environment = environment
    self.words = words
    configure(entries, at: .now)
  }

  /// Whether anybody wants to know; if not, an event need not be made.
  func listen(to moment: Moment?, of control: String) -> Bool {
    listeners[Occasion(control: control, moment: moment)] != nil
  }

  func note(_ event: HookEvent, at now: Instant) {
    for runner in listeners[Occasion(control: event.control, moment: event.moment)] ?? [] {
      runner.note(event, at: now)
    }
  }

  private var all: [HookRunner] { Array(runners.values) + leaving.values }

  /// What became of the runs of each configured hook, named `CONTROL HOOK`, in the order of the names.
  var countersByHook: [(hook: String, counters: HookCounters)] {
    runners.map { ("\($0.key.control) \($0.key.hook)", $0.value.counters) }.sorted { $0.0 < $1.0 }
  }

  /// When to call ``advance(to:)`` at the latest.
  var deadline: Instant? { all.compactMap(\.deadline).min() }

  /// Starts what is due, and ends what takes too long.
  func advance(to now: Instant) {
    for runner in all { runner.advance(to: now) }
    forgetTheEnded()
  }

  private func forgetTheEnded() {
    for (name, runner) in leaving where !runner.isRunning {
      leaving[name] = nil
      past += runner.counters
    }
  }

  /// Whether nothing runs and nothing is waiting to.
  var isIdle: Bool { all.allSatisfy(\.isIdle) }

  /// The newest failure of those whose last run failed: which hook's, and why.
  var lastFailure: String? {
    let failed = all.compactMap { runner in runner.failure.map { (runner, $0.time) } }
    return failed.max { $0.1 < $1.1 }?.0.lastFailure
  }

  /// What became of all their runs, those of hooks that are gone included.
  var counters: HookCounters { all.reduce(into: past) { $0 += $1.counters } }

  /// Takes over a new configuration. A hook is known by its control and its name: one that is still there goes on, its
  /// command too if it is the same; commands of the others are ended.
  func configure(_ entries: [Entry], at now: Instant) {
    var known = leaving.merging(runners) { $1 }
    (runners, leaving, listeners) = ([:], [:], [:])
    for entry in entries {
      let runner = runners[entry.name] ?? known.removeValue(forKey: entry.name) ?? runner(for: entry)
      runner.reconfigure(entry.settings, at: now)
      runners[entry.name] = runner
      for moment in entry.moments.map({ $0.map(Optional.some) }) ?? [nil] {
        listeners[Occasion(control: entry.control, moment: moment), default: []].append(runner)
      }
    }
    for runner in known.values { runner.retire(at: now) }
    leaving = known
    forgetTheEnded()
  }

  private func runner(for entry: Entry) -> HookRunner {
    HookRunner(
      control: entry.control, settings: entry.settings, loop: loop, journal: journal,
      environment: environment, words: words
    )
  }

  /// Ends all commands within a tenth of a second, which is waited for, and starts none any more.
  func stop(at now: Instant) { all.stop(at: now) }
}
