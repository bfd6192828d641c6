import StepperConfiguration
import StepperCore
import StepperLinux
import SystemPackage

/// Keeps values across restarts, and across reloads that lack their controls. A separate thread writes the files, so
/// only callers of `Save` wait for the disk.
final class ValueStore {
  private var values = SavedValues()
  private(set) var schedule: SaveSchedule
  /// The reason why values are not being saved.
  private(set) var problem = StandingProblem()
  private let journal: Journal
  private let worker: WorkerThread<Attempt>
  /// Used by the worker while it is busy.
  private var file: StateFile
  /// Whether the file has been read. It is not replaced before.
  private var isLoaded = false
  /// The numbers of the last write that was begun, of the last that succeeded, and of the last that ended. They start
  /// at 1. While the file is being read again, the write with the number ``begun`` has not taken its values yet.
  private var (begun, succeeded, ended): (Int64, Int64, Int64) = (0, 0, 0)
  private var lastFailure: LockFailure?
  private var recovered: Set<String> = []

  private(set) var counters = Counters()

  struct Counters: Hashable {
    var saves: Int64 = 0
    var failures: Int64 = 0
    /// The number of foreign or damaged files.
    var setAside: Int64 = 0
    /// The duration of the last successful write.
    var lastTime: Duration?
  }

  /// The result of the worker.
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

  /// The path of the file, for messages.
  var path: String { file.path.string }

  /// Readable when ``takeResult(at:)`` has a result.
  var rawDescriptor: CInt { worker.rawDescriptor }

  // MARK: Values

  /// Reads the saved values, before clients are served. Throws only if another process holds the directory; any other
  /// failure is reported and the attempt repeated later.
  func load(at now: Instant) throws(LockFailure) {
    do throws(LockFailure) {
      let loading = try ValueLoading.load(&file)
      adopt(loading, at: now)
      if let failure = loading.lockFailure {
        schedule.began(at: now)
        fail(failure, at: now)
      }
      // The caller restores all values.
      recovered = []
    } catch {
      if case .held = error { throw error }
      schedule.began(at: now)
      fail(error, at: now)
    }
  }

  /// The saved value of a control with `settings`; nil without a value that is valid for it.
  func value(for settings: ControlSettings) -> FixedPoint?? { values[settings.name]?.value(for: settings) }

  /// The configuration was replaced.
  func configure(_ controls: [(settings: ControlSettings, isSaved: Bool)], at now: Instant) {
    let excluded = Set(controls.filter { !$0.isSaved }.map(\.settings.name))
    if values.configure(controls: controls.map(\.settings.name), excluded: excluded) {
      schedule.changed(at: now)
    }
  }

  /// Saves the value of `state`, if a device, a client or idleness caused it. A value that the configuration caused is
  /// saved only if it is a clamped number; a saved name that is no longer in the list is kept until it is in the list
  /// again.
  func record(_ state: ControlState, of control: ControlEntry, at now: Instant) {
    let settings = control.configuration.settings
    switch state.origin {
    case .startup, .restored: return
    case .configuration: guard settings.words.isEmpty, value(for: settings) != nil else { return }
    case .device, .client, .idle: break
    }
    keep(state.value, of: control, at: now)
  }

  /// Saves a value that somebody has chosen, even if the control already had it. The control may have had it only as
  /// the nearest value to the saved one.
  func keep(_ value: FixedPoint?, of control: ControlEntry, at now: Instant) {
    guard control.configuration.restores else { return }
    let settings = control.configuration.settings
    if values.record(SavedValue(value, of: settings), of: settings.name) { schedule.changed(at: now) }
  }

  func reschedule(saveAfter: Duration, saveInterval: Duration) {
    schedule.saveAfter = saveAfter
    schedule.saveInterval = saveInterval
  }

  // MARK: Writing

  /// Requests a write of all changes until now and returns its number for ``result(of:)``.
  func requestWrite() -> Int64 {
    schedule.request()
    return worker.isBusy && !isLoaded ? begun : begun + 1
  }

  /// The result of a write; nil until it has ended.
  func result(of write: Int64) -> Result<Void, LockFailure>? {
    guard ended >= write else { return nil }
    guard succeeded < write, let lastFailure else { return .success(()) }
    return .failure(lastFailure)
  }

  /// Begins a write that is due.
  func writeIfDue(at now: Instant) {
    if let due = schedule.deadline, due <= now { begin(at: now) }
  }

  /// Begins a write. If no thread can be started, writes on the calling thread if `mayWait`.
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
        take(work(), at: now)
        return
      }
      let failure = FileFailure(operation: "start a thread to write", path: file.path, reason: .errno(error))
      fail(.failed(failure), at: now)
    }
  }

  /// Call it when ``rawDescriptor`` is readable: takes the result of the worker.
  func takeResult(at now: Instant) {
    if let attempt = worker.takeResult() { take(attempt, at: now) }
  }

  /// Takes the names of the controls whose saved values could not be read before, and that have not changed since.
  func takeRecovered() -> Set<String> {
    defer { recovered = [] }
    return recovered
  }

  /// Writes unsaved values, and waits until `deadline`. Returns whether all are on the disk. With `mayWait` it waits
  /// longer if no thread can be started.
  func finish(until deadline: Instant, mayWait: Bool = false) -> Bool {
    while schedule.isPending {
      let wasBusy = worker.isBusy
      let failures = schedule.failures
      if !wasBusy { begin(at: .now, mayWait: mayWait) }
      if worker.isBusy {
        guard let attempt = worker.waitForResult(until: deadline) else { return false }
        take(attempt, at: .now)
      }
      // An earlier write may have failed for a reason that no longer exists.
      if schedule.failures > failures, !wasBusy { return false }
    }
    return true
  }

  private func take(_ attempt: Attempt, at now: Instant) {
    file = attempt.file
    switch attempt.outcome {
    case .failure(let failure): fail(failure, at: now)
    case .success(.loaded(let loading)):
      adopt(loading, at: now)
      if let failure = loading.lockFailure { return fail(failure, at: now) }
      succeed(at: now)
      // The write with this number has not begun yet.
      begun -= 1
      schedule.request()
    case .success(.written(let name)):
      succeed(at: now)
      succeeded = begun
      ended = begun
      counters.saves += 1
      counters.lastTime = attempt.time
      guard let name else { return }
      counters.setAside += 1
      journal.warning(
        .daemon, "\(file.path) was changed by another program; its content is kept as \(name)")
    }
  }

  /// Adopts values that were read. Values that are already in memory are newer and remain.
  private func adopt(_ loading: ValueLoading, at now: Instant) {
    let changed = values.all
    let names = Set(loading.values.map(\.name)).subtracting(changed.map(\.name))
    values = SavedValues(changed + loading.values.filter { names.contains($0.name) })
    isLoaded = loading.lockFailure == nil
    for warning in loading.warnings { journal.warning(.daemon, warning) }
    counters.setAside += loading.setAside
    if !loading.warnings.isEmpty || !changed.isEmpty { schedule.changed(at: now) }
    recovered.formUnion(names)
  }

  private func fail(_ failure: LockFailure, at now: Instant) {
    lastFailure = failure
    ended = begun
    schedule.failed(at: now)
    counters.failures += 1
    let text = "values are not saved: \(failure.explanation)"
    problem.change(to: text)
    if schedule.failures == 1 { journal.error(.daemon, "\(text); trying again, at least once a minute") }
  }

  private func succeed(at now: Instant) {
    defer { schedule.succeeded() }
    problem.change(to: nil)
    guard let first = schedule.firstFailure else { return }
    let (count, time) = (schedule.failures, (now - first).milliseconds)
    journal.notice(
      .daemon, "values are saved again, after \(count) failed attempt\(count == 1 ? "" : "s") in \(time) ms")
  }
}

extension LockFailure {
  /// The problem for the status, as a sentence.
  var explanation: String {
    guard case .held(let path, let process) = self else { return "\(self)" }
    let name = process.map { " as process \($0)" } ?? ""
    return "another stepperd is running\(name) and keeps its values in \(path.removingLastComponent())"
  }
}
