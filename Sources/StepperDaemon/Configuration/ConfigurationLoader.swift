import StepperConfiguration
import StepperCore
import StepperLinux
import SystemPackage

/// Reads the configuration file on a separate thread: for a reload, and whenever it changes, to say how it differs from the
/// one in use. The loop waits neither for its disk nor for the parser.
///
/// Each reload is answered with a reading that began after it was asked for; those that are asked for meanwhile share the
/// next one. What was parsed for a comparison is not kept: programs and groups that it names may have come since.
final class ConfigurationLoader {
  /// Why the file and the configuration in use differ; nil if they do not.
  private(set) var problem: String? { didSet { if problem != oldValue { revision += 1 } } }
  /// The number of changes of ``problem``.
  private(set) var revision = 0
  private let file: ConfigurationFile
  private let scope: Paths.Scope
  private let loop: EventLoop
  private let journal: Journal
  private let worker: WorkerThread<ConfigurationReading>
  /// The reading that has ended, until it is taken.
  private var reading: ConfigurationReading?
  /// nil: it cannot be watched.
  private var watch: ConfigurationWatch?
  /// nil: no file is included, or it cannot be watched.
  private var includedWatch: ConfigurationWatch?
  private var includedPath: String?
  /// When the file is compared: a while after the first event, because a directory may have many, and writing takes time.
  private var comparison: Instant?

  /// Whether a reload waits for its reading to begin.
  private var isRequested = false
  /// Whether the reading in progress is for a reload.
  private var isReload = false
  /// The numbers of the last reading that was begun, and of the last one for a reload that ended, counted from 1.
  private var (begun, ended): (Int64, Int64) = (0, 0)
  /// The warnings of the last reload, or why it failed.
  private var result: Result<[ConfigurationProblem], ConfigurationFailure> = .success([])

  /// The least time between two comparisons.
  static let pause = Duration.seconds(1)
  /// That of files of which the system tells no changes.
  private static let pauseWithoutWatch = Duration.seconds(60)
  /// As much as the first thread of a process usually has: a file may be nested deeply.
  static let stackBytes = 8 << 20

  /// `loaded` is what was read at the start.
  init(
    _ file: ConfigurationFile, _ loaded: ConfigurationFile.Loaded, scope: Paths.Scope, loop: EventLoop,
    journal: Journal
  ) throws(Errno) {
    self.file = file
    self.scope = scope
    self.loop = loop
    self.journal = journal
    worker = try WorkerThread(stackBytes: Self.stackBytes)
    problem = loaded.leftOut
    watch = makeWatch(of: file.path)
    includedPath = loaded.configuration.daemon.includedFile
    includedWatch = includedPath.flatMap(makeWatch)
    try loop.watch(worker.rawDescriptor, priority: .system) { [weak self] _, _ in
      if let self { reading = worker.takeResult() }
    }
  }

  /// The path of the file, for messages.
  var path: String { file.path }

  // MARK: Changes

  /// nil: the file cannot be watched.
  private func makeWatch(of path: String) -> ConfigurationWatch? {
    do throws(Errno) {
      let watch = try ConfigurationWatch(path, loop: loop) { [weak self] now in
        self?.comparison = now + Self.pause
      }
      if let error = watch.refusal {
        journal.info(.configuration, "changes of \(path) are noticed a minute later: \(error)")
        comparison = .earliest(comparison, loop.now + Self.pauseWithoutWatch)
      }
      return watch
    } catch {
      journal.info(.configuration, "changes of \(path) are noticed at a reload only: \(error)")
      return nil
    }
  }

  /// Before the files are read, so that no change is missed. Those that cannot be watched are compared again in a while.
  private func watchAgain(at now: Instant) {
    watch?.begin()
    includedWatch?.begin()
    let isBlind = watch?.refusal != nil || includedWatch?.refusal != nil
    comparison = isBlind ? now + Self.pauseWithoutWatch : nil
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

  /// The end of a reload: the configuration in use is that of the file, or remains.
  func noteEnd(_ result: Result<[ConfigurationProblem], ConfigurationFailure>, included path: String?) {
    self.result = result
    ended = begun
    if case .failure(let failure) = result { note(failure) } else { problem = nil }
    guard path != includedPath else { return }
    includedPath = path
    includedWatch?.end()
    includedWatch = path.flatMap(makeWatch)
  }

  // MARK: Reading

  /// The latest time of the next wakeup; nil while the file is read.
  var deadline: Instant? {
    if worker.isBusy { return nil }
    return isRequested || reading != nil ? Instant(nanoseconds: 0) : comparison
  }

  /// Begins to read the file if that is due. Returns whether it is for a reload. `running` is the configuration in use, which
  /// is copied only then.
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

  /// What was read for a reload, once; end it with ``noteEnd(_:)``. A comparison has its result in ``problem``,
  /// and a reload is never ``ConfigurationReading/unchanged``.
  func takeReload(running: @autoclosure () -> ConfigurationFile.Loaded) -> ConfigurationReading? {
    guard let reading else { return nil }
    self.reading = nil
    guard !isReload else { return reading }
    switch reading {
    // The file that it includes is put in use by who writes it.
    case .usable(let read) where read.loaded.path != nil && read.loaded.text == running().text:
      isReload = true
      return reading
    case .usable:
      let change = running().path == nil ? "exists now" : "has changed since it was read"
      note("\(file.path) \(change); 'stepperctl reload' puts it in use")
    case .unusable(let failure): note(failure)
    case .unchanged: problem = running().leftOut
    }
    return nil
  }

  private func note(_ problem: String) {
    guard problem != self.problem else { return }
    self.problem = problem
    journal.notice(.configuration, problem)
  }

  private func note(_ failure: ConfigurationFailure) {
    let errors = failure.problems.filter { $0.severity == .error }
    let first = errors.first.map { "\($0)" } ?? "\(file.path): it cannot be used"
    let rest = errors.count > 1 ? " (and \(errors.count - 1) more)" : ""
    let text =
      "the configuration on the disk cannot be used, and the former one remains in use: \(first)\(rest)"
    if isReload { problem = text } else { note(text) }
  }
}
