import StepperConfiguration
import StepperCore
import StepperLinux
import SystemPackage

/// Reads the configuration file on a separate thread: for a reload, and whenever the file changes, to report that it
/// differs from the configuration in use. The event loop waits neither for the disk nor for the parser.
///
/// Each reload is answered with a reading that began after the request. All reloads that are requested during a reading
/// share the next one. The result of a comparison is not kept for a later reload: the programs and groups that it names
/// may have been added since.
final class ConfigurationLoader {
  /// Why the file and the configuration in use differ.
  private(set) var problem: StandingProblem
  private let file: ConfigurationFile
  private let scope: Paths.Scope
  private let loop: EventLoop
  private let journal: Journal
  private let worker: WorkerThread<ConfigurationReading>
  /// The finished reading, until ``takeReload(running:)`` takes it.
  private var reading: ConfigurationReading?
  /// Watches the file and the included file; nil: they cannot be watched.
  private var watch: FileWatch?
  private var includedPath: String?
  /// When to compare the file with the configuration in use: a while after the first event, because a directory may
  /// report many events, and writing a file takes time.
  private var comparison: Instant?

  /// Whether a reload waits for its reading to begin.
  private var isRequested = false
  /// Whether the reading in progress is for a reload.
  private var isReload = false
  /// The numbers of the last reading that was begun, and of the last reading for a reload that has ended. They start at 1.
  private var (begun, ended): (Int64, Int64) = (0, 0)
  /// The warnings of the last reload, or why it failed.
  private var result: Result<[ConfigurationProblem], ConfigurationFailure> = .success([])

  /// Minimum time between two comparisons.
  static let pause = Duration.seconds(1)
  /// The usual stack size of the first thread of a process, because a file may be nested deeply.
  static let stackBytes = 8 << 20

  /// `loaded` is the configuration that was read at the start.
  init(
    _ file: ConfigurationFile, _ loaded: ConfigurationFile.Loaded, scope: Paths.Scope, loop: EventLoop,
    journal: Journal
  ) throws(Errno) {
    self.file = file
    self.scope = scope
    self.loop = loop
    self.journal = journal
    worker = try WorkerThread(stackBytes: Self.stackBytes)
    problem = StandingProblem(loaded.leftOut)
    includedPath = loaded.configuration.daemon.includedFile
    beginWatching()
    try loop.watch(worker.rawDescriptor, priority: .system) { [weak self] _, _ in
      if let self { reading = worker.takeResult() }
    }
  }

  /// The path of the file, for messages.
  var path: String { file.path }

  // MARK: Changes

  private var watchedPaths: [String] { [file.path] + [includedPath].compactMap(\.self) }

  private func beginWatching() {
    do throws(Errno) {
      watch = try FileWatch(watchedPaths, on: loop) { [weak self] now in self?.comparison = now + Self.pause }
      reportRefusals(of: watchedPaths)
    } catch {
      journal.info(
        .configuration, "\(file.path) cannot be watched; only a reload detects its changes: \(error)")
    }
  }

  /// Watches another included file, or none. Changes since the last reading are found by a comparison.
  private func watch(included path: String?) {
    includedPath = path
    watch?.paths = watchedPaths
    watch?.begin()
    comparison = loop.now + Self.pause
    reportRefusals(of: [path].compactMap(\.self))
  }

  /// Reports which of these files cannot be watched.
  private func reportRefusals(of paths: [String]) {
    for (path, error) in watch?.refusals ?? [] {
      comparison = .earliest(comparison, loop.now + FileWatch.pauseAfterRefusal)
      guard paths.contains(path) else { continue }
      journal.info(.configuration, "\(path) cannot be watched and is checked once a minute: \(error)")
    }
  }

  /// Watches the files again. Call it before they are read, so that no change is missed. If a file cannot be watched,
  /// another comparison follows after ``FileWatch/pauseAfterRefusal``.
  private func watchAgain(at now: Instant) {
    watch?.begin()
    comparison = watch?.refusals.isEmpty ?? true ? nil : now + FileWatch.pauseAfterRefusal
  }

  // MARK: Reloads

  /// Asks for a reload and returns the number of its reading for ``result(of:)``.
  @discardableResult
  func requestReload() -> Int64 {
    isRequested = true
    return begun + 1
  }

  /// The warnings of a reload, or why it changed nothing; nil until it has ended.
  func result(of reading: Int64) -> Result<[ConfigurationProblem], ConfigurationFailure>? {
    ended >= reading ? result : nil
  }

  /// Records the end of a reload: either the configuration of the file is in use now, or the former one remains in use.
  func noteEnd(_ result: Result<[ConfigurationProblem], ConfigurationFailure>, included path: String?) {
    self.result = result
    ended = begun
    if case .failure(let failure) = result { note(failure) } else { problem.change(to: nil) }
    if path != includedPath { watch(included: path) }
  }

  // MARK: Reading

  /// The latest time of the next wakeup; nil while the file is read.
  var deadline: Instant? {
    if worker.isBusy { return nil }
    return isRequested || reading != nil ? Instant(nanoseconds: 0) : comparison
  }

  /// Begins to read the file if a reading is due. Returns whether it is for a reload. `running` is the configuration in
  /// use; it is copied only if a reading is due.
  func readIfDue(at now: Instant, running: @autoclosure () -> ConfigurationFile.Loaded) -> Bool {
    guard reading == nil, let deadline, deadline <= now else { return false }
    let running = running()
    isReload = isRequested
    isRequested = false
    begun += 1
    watchAgain(at: now)
    let (file, scope, isReload) = (file, scope, isReload)
    do throws(Errno) {
      try worker.start {
        do throws(ConfigurationFailure) {
          if !isReload, try file.isUnchanged(from: running) { return .unchanged }
          return .usable(try CheckedConfiguration(file, scope: scope, replacing: running))
        } catch {
          return .unusable(error)
        }
      }
    } catch {
      guard isReload else {
        comparison = now + Self.pause
        return false
      }
      let message = "it cannot be read: cannot start a thread: \(error)"
      reading = .unusable(
        ConfigurationFailure(problems: [ConfigurationProblem(file: file.path, keyPath: "", message: message)])
      )
    }
    return isReload
  }

  /// Returns the result of a reading for a reload, once; end the reload with ``noteEnd(_:included:)``. The result of a
  /// comparison goes to ``problem`` instead. A reload never results in ``ConfigurationReading/unchanged``.
  func takeReload(running: @autoclosure () -> ConfigurationFile.Loaded) -> ConfigurationReading? {
    guard let reading else { return nil }
    self.reading = nil
    guard !isReload else { return reading }
    switch reading {
    // Only the included file has changed. Writing that file is enough to put it into use, so this reading becomes a reload.
    case .usable(let read) where read.loaded.path != nil && read.loaded.text == running().text:
      isReload = true
      return reading
    case .usable:
      let change = running().path == nil ? "exists now" : "has changed since it was read"
      note("\(file.path) \(change); 'stepperctl reload' puts it in use")
    case .unusable(let failure): note(failure)
    case .unchanged: problem.change(to: running().leftOut)
    }
    return nil
  }

  private func note(_ text: String) {
    if problem.change(to: text) != nil { journal.notice(.configuration, text) }
  }

  private func note(_ failure: ConfigurationFailure) {
    let errors = failure.problems.filter { $0.severity == .error }
    let first = errors.first.map { "\($0)" } ?? "\(file.path): it cannot be used"
    let rest = errors.count > 1 ? " (and \(errors.count - 1) more)" : ""
    let text =
      "the configuration on the disk cannot be used, and the former one remains in use: \(first)\(rest)"
    if isReload { problem.change(to: text) } else { note(text) }
  }
}
