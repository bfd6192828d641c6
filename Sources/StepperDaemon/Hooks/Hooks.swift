import StepperConfiguration
import StepperCore
import StepperSystem

/// The hooks of all controls.
final class Hooks {
  /// One hook: its control, its moments, and its command.
  struct Entry: Hashable {
    var control: String
    var settings: HookSettings
    /// nil: changes of the value, of any origin.
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
  private let details: (HookEvent) -> HookDetails
  private var runners: [Name: HookRunner] = [:]
  /// Removed hooks whose commands have not ended.
  private var retired: [Name: HookRunner] = [:]
  /// Counters of removed hooks.
  private var past = HookCounters()
  private var listeners: [Occasion: [HookRunner]] = [:]

  /// `environment` is the environment of all commands: ``HookEvent/baseEnvironment(address:inheriting:)``.
  ///
  /// `details` provides the details of an event when a command is started.
  init(
    _ entries: [Entry], loop: EventLoop, journal: Journal, environment: [String: String],
    details: @escaping (HookEvent) -> HookDetails = { _ in HookDetails() }
  ) {
    self.loop = loop
    self.journal = journal
    self.environment = environment
    self.details = details
    configure(entries, at: .now)
  }

  /// Whether any hook uses it; otherwise the event need not be created.
  func listen(to moment: Moment?, of control: String) -> Bool {
    listeners[Occasion(control: control, moment: moment)] != nil
  }

  func note(_ event: HookEvent, at now: Instant) {
    for runner in listeners[Occasion(control: event.control, moment: event.moment)] ?? [] {
      runner.note(event, at: now)
    }
  }

  private var all: [HookRunner] { Array(runners.values) + retired.values }

  /// Counters of each configured hook, named `CONTROL HOOK`, in the order of the names.
  var countersByHook: [(hook: String, counters: HookCounters)] {
    runners.map { ("\($0.key.control) \($0.key.hook)", $0.value.counters) }.sorted { $0.0 < $1.0 }
  }

  /// The latest time of the next ``advance(to:)``.
  var deadline: Instant? { all.compactMap(\.deadline).min() }

  /// Starts pending commands, and ends those that exceed their timeouts.
  func advance(to now: Instant) {
    for runner in all { runner.advance(to: now) }
    removeEnded()
  }

  private func removeEnded() {
    for (name, runner) in retired where !runner.isRunning {
      retired[name] = nil
      past += runner.counters
    }
  }

  /// Whether no command is running or pending.
  var isIdle: Bool { all.allSatisfy(\.isIdle) }

  /// The hook and the reason of the newest failure, among hooks whose last run failed.
  var lastFailure: String? {
    let failed = all.compactMap { runner in runner.failure.map { (runner, $0.time) } }
    return failed.max { $0.1 < $1.1 }?.0.lastFailure
  }

  /// Counters of all hooks, removed ones included.
  var counters: HookCounters { all.reduce(into: past) { $0 += $1.counters } }

  /// Applies a new configuration. A hook is identified by its control and its name: an existing hook continues, and
  /// so does its run if the command is the same; other runs are ended.
  func configure(_ entries: [Entry], at now: Instant) {
    var known = retired.merging(runners) { $1 }
    (runners, retired, listeners) = ([:], [:], [:])
    for entry in entries {
      let runner = runners[entry.name] ?? known.removeValue(forKey: entry.name) ?? runner(for: entry)
      runner.reconfigure(entry.settings, at: now)
      runners[entry.name] = runner
      for moment in entry.moments.map({ $0.map(Optional.some) }) ?? [nil] {
        listeners[Occasion(control: entry.control, moment: moment), default: []].append(runner)
      }
    }
    for runner in known.values { runner.retire(at: now) }
    retired = known
    removeEnded()
  }

  private func runner(for entry: Entry) -> HookRunner {
    HookRunner(
      control: entry.control, settings: entry.settings, loop: loop, journal: journal,
      environment: environment, details: details
    )
  }

  /// Ends all commands, which takes at most a tenth of a second, and starts no further ones.
  func stop(at now: Instant) { all.stop(at: now) }
}
