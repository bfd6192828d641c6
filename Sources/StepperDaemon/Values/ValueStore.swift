import StepperConfiguration
import StepperCore
import StepperSystem
import SystemPackage

/// Remembers values over a restart, and over reloads that their controls are away for. Files are written by a thread of
/// their own, so nobody waits for the disk but who wants to.
final class ValueStore {
  private var values = RememberedValues()
  private(set) var schedule: SaveSchedule
  /// Why values are not saved at present.
  private(set) var problem: String?
  private let journal: Journal
  private let worker: WorkerThread<Attempt>
  /// Is the worker's while it is busy.
  private var file: StateFile
  /// Whether what the file holds is known; until then it is not replaced.
  private var isLoaded = false
  /// The writes that were begun, the one that succeeded last, and the one that ended last, counted from 1.
  private var (begun, succeeded, ended): (Int64, Int64, Int64) = (0, 0, 0)
  private var lastFailure: LockFailure?
  /// See ``takeReturned()``.
  private var returned: Set<String> = []

  private(set) var counters = Counters()

  struct Counters: Hashable {
    var saves: Int64 = 0
    var failures: Int64 = 0
    /// Files that were not ours, or damaged.
    var setAside: Int64 = 0
    /// How long the last write took that succeeded.
    var lastTime: Duration?
  }

  /// What the worker did.
  private struct Attempt: Sendable {
    var file: StateFile
    var time: Duration
    var outcome: Result<Outcome, LockFailure>
  }

  private enum Outcome: Sendable {
    case loaded(ValueLoading)
    case written(setAside: String?)
  }

  init(
    directory: String, saveAfter: Duration, saveInterval: Duration, journal: Journal
  ) throws(Errno) {
    file = StateFile("values.json", in: FilePath(directory))
    schedule = SaveSchedule(saveAfter: saveAfter, saveInterval: saveInterval)
    self.journal = journal
    worker = try WorkerThread()
  }

  /// The file, for messages.
  var path: String { file.path.string }

  /// Readable when ``takeResult(at:)`` has something to take.
  var rawDescriptor: CInt { worker.rawDescriptor }

  // MARK: Values

  /// Reads what was remembered, before anything is served. Throws only if another process has the directory; any other
  /// failure is reported, and tried again later.
  func load(at now: Instant) throws(LockFailure) {
    do throws(LockFailure) {
      adopt(try ValueLoading.load(&file), at: now)
    } catch {
      if case .held = error { throw error }
      schedule.began(at: now)
      report(error, at: now)
    }
  }

  /// The value of a control with `settings` that was remembered; nil: none that it can have.
  func value(for settings: ControlSettings) -> FixedPoint?? { values[settings.name]?.value(for: settings) }

  /// There is another configuration now.
  func configure(_ controls: [(settings: ControlSettings, isRemembered: Bool)], at now: Instant) {
    let forgotten = Set(controls.filter { !$0.isRemembered }.map(\.settings.name))
    var isChanged = values.configure(controls: controls.map(\.settings.name), forgotten: forgotten)
    for (settings, isRemembered) in controls where isRemembered {
      // What the former version wrote by number is remembered by name from now on.
      guard case .former? = values[settings.name], let value = value(for: settings) else { continue }
      isChanged = values.remember(RememberedValue(value, of: settings), of: settings.name) || isChanged
    }
    if isChanged { schedule.changed(at: now) }
  }

  /// A control of this configuration has the value of `state` now. Only what somebody made of it is remembered. What a configuration made of
  /// it is so only of a number that was remembered and is clamped now: a name that is gone waits to be there again.
  func remember(_ state: ControlState, of control: ControlConfiguration, at now: Instant) {
    guard control.restores else { return }
    let settings = control.settings
    switch state.origin {
    case .startup, .restored: return
    case .configuration: guard settings.words.isEmpty, value(for: settings) != nil else { return }
    case .device, .client: break
    }
    if values.remember(RememberedValue(state.value, of: settings), of: settings.name) {
      schedule.changed(at: now)
    }
  }

  func reschedule(saveAfter: Duration, saveInterval: Duration) {
    schedule.saveAfter = saveAfter
    schedule.saveInterval = saveInterval
  }

  // MARK: Writing

  /// The number of the write that will have everything up to now in it; ask ``result(of:)`` for it.
  func requestWrite() -> Int64 {
    schedule.request()
    return begun + 1
  }

  /// How a write ended; nil while it has not.
  func result(of write: Int64) -> Result<Void, LockFailure>? {
    guard ended >= write else { return nil }
    guard succeeded < write, let lastFailure else { return .success(()) }
    return .failure(lastFailure)
  }

  /// Begins to write if it is time for it.
  func writeIfDue(at now: Instant) {
    if let due = schedule.deadline, due <= now { begin(at: now) }
  }

  /// With `mayWait` it does the work itself, and has done it, where no thread can be started for it.
  private func begin(at now: Instant, mayWait: Bool = false) {
    schedule.began(at: now)
    begun += 1
    let (file, bytes) = (file, isLoaded ? ValueFile.encode(values) : nil)
    let work: @Sendable () -> Attempt = {
      var file = file
      let start = Instant.now
      let outcome = Result { () throws(LockFailure) -> Outcome in
        guard let bytes else { return .loaded(try ValueLoading.load(&file)) }
        return .written(setAside: try file.write(bytes))
      }
      return Attempt(file: file, time: .now - start, outcome: outcome)
    }
    do throws(Errno) {
      try worker.start(work)
    } catch {
      if mayWait {
        _ = take(work(), at: now)
        return
      }
      let failure = FileFailure(operation: "start a thread to write", path: file.path, reason: .errno(error))
      fail(.failed(failure), at: now)
    }
  }

  /// ``rawDescriptor`` was readable: takes what the writing thread reports.
  func takeResult(at now: Instant) {
    guard let attempt = worker.takeResult() else { return }
    returned.formUnion(take(attempt, at: now))
  }

  /// The names of controls whose values could only now be read, and that were not changed meanwhile.
  func takeReturned() -> Set<String> {
    defer { returned = [] }
    return returned
  }

  /// Writes what is not written, and waits for it until `deadline`. Returns whether everything is on the disk. With
  /// `mayWait` it waits for longer where no thread can be started.
  func finish(until deadline: Instant, mayWait: Bool = false) -> Bool {
    while schedule.isPending {
      let wasBusy = worker.isBusy
      let failures = schedule.failures
      if !wasBusy { begin(at: .now, mayWait: mayWait) }
      if worker.isBusy {
        guard let attempt = worker.waitForResult(until: deadline) else { return false }
        _ = take(attempt, at: .now)
      }
      // What was begun before may have failed for a reason that is gone; what was begun now has not.
      if schedule.failures > failures, !wasBusy { return false }
    }
    return true
  }

  private func take(_ attempt: Attempt, at now: Instant) -> Set<String> {
    file = attempt.file
    switch attempt.outcome {
    case .failure(let failure):
      fail(failure, at: now)
      return []
    case .success(let outcome):
      reportSuccess(at: now)
      schedule.succeeded()
      switch outcome {
      case .loaded(let loading):
        // The write with this number is still to come.
        begun -= 1
        schedule.request()
        return adopt(loading, at: now)
      case .written(let name):
        (succeeded, ended) = (begun, begun)
        counters.saves += 1
        counters.lastTime = attempt.time
        if let name { reportSettingAside(name) }
        return []
      }
    }
  }

  private func fail(_ failure: LockFailure, at now: Instant) {
    (lastFailure, ended) = (failure, begun)
    report(failure, at: now)
  }

  /// What is remembered already is newer.
  @discardableResult
  private func adopt(_ loading: ValueLoading, at now: Instant) -> Set<String> {
    let changed = values.all
    let names = Set(loading.values.map(\.name)).subtracting(changed.map(\.name))
    values = RememberedValues(changed + loading.values.filter { names.contains($0.name) })
    isLoaded = true
    for warning in loading.warnings { journal.warning(.daemon, warning) }
    counters.setAside += loading.setAside
    if !loading.warnings.isEmpty || !changed.isEmpty { schedule.changed(at: now) }
    return names
  }

  // MARK: Reporting

  private func report(_ failure: LockFailure, at now: Instant) {
    schedule.failed(at: now)
    counters.failures += 1
    problem = "values are not saved: \(failure.explanation)"
    guard schedule.failures == 1, let problem else { return }
    journal.error(.daemon, "\(problem); trying again, at least once a minute")
  }

  private func reportSuccess(at now: Instant) {
    problem = nil
    guard let first = schedule.firstFailure else { return }
    let (count, time) = (schedule.failures, (now - first).milliseconds)
    journal.notice(
      .daemon, "values are saved again, after \(count) failed attempt\(count == 1 ? "" : "s") in \(time) ms")
  }

  private func reportSettingAside(_ name: String) {
    counters.setAside += 1
    journal.warning(
      .daemon, "\(file.path) was changed by somebody else; what it was is kept as \(name)")
  }
}

extension LockFailure {
  /// In the words for people who wonder about values.
  var explanation: String {
    guard case .held(let path, let process) = self else { return "\(self)" }
    let name = process.map { " as process \($0)" } ?? ""
    return "another stepperd is running\(name) and keeps its values in \(path.removingLastComponent())"
  }
}
