import StepperConfiguration
import StepperCore
import StepperSystem
import SystemPackage

/// Compares the configuration on the disk with the one in use, whenever the file changes.
final class ConfigurationWatch {
  /// Why they differ; nil if they do not.
  private(set) var problem: String? { didSet { if problem != oldValue { revision += 1 } } }
  /// The number of changes of ``problem``.
  private(set) var revision = 0
  private let file: ConfigurationFile
  private let scope: Paths.Scope
  private let loop: EventLoop
  private let journal: Journal
  private var watch: PathWatch?
  /// -1 if the file is not watched.
  private var descriptor: CInt = -1
  /// When the file is read: a while after the first event, because a directory may have many, and writing takes time.
  private(set) var deadline: Instant?

  /// The least time between two readings of the file.
  static let pause = Duration.seconds(1)

  init(_ file: ConfigurationFile, scope: Paths.Scope, loop: EventLoop, journal: Journal) {
    self.file = file
    self.scope = scope
    self.loop = loop
    self.journal = journal
    do throws(Errno) {
      watch = try PathWatch()
      descriptor = watch?.rawDescriptor ?? -1
      try loop.watch(descriptor, priority: .system) { [unowned self] _, now in noteEvent(at: now) }
      watch?.watch(FilePath(file.path), for: .content)
    } catch {
      journal.info(.configuration, "changes of \(file.path) are noticed at a reload only: \(error)")
    }
  }

  /// The number of times that other files of the directory had changed since the last pause. A pause after some of them
  /// bounds what a program can cost that writes to the directory all the time.
  private var strayEvents = 0
  private static let mostStrayEvents = 32
  /// Whether the file itself has an event since it was read.
  private var hasChanged = false

  /// Further events wait until ``deadline``.
  private func noteEvent(at now: Instant) {
    if watch?.takeAll() == true { hasChanged = true } else { strayEvents += 1 }
    guard hasChanged || strayEvents >= Self.mostStrayEvents else { return }
    deadline = now + Self.pause
    loop.change(descriptor, to: [])
  }

  /// Reads the file if it may have changed.
  func advance(to now: Instant, running: ConfigurationFile.Loaded) {
    guard let deadline, deadline <= now else { return }
    let former = problem
    compare(with: running)
    if let problem, problem != former { journal.notice(.configuration, problem) }
  }

  /// Reads the file and compares it with what runs.
  func compare(with running: ConfigurationFile.Loaded) {
    (deadline, hasChanged, strayEvents) = (nil, false, 0)
    // Before it is read, so that no change is missed.
    watch?.watch(FilePath(file.path), for: .content)
    if descriptor >= 0 { loop.change(descriptor, to: .readable) }
    do throws(ConfigurationFailure) {
      problem = try difference(from: running)
    } catch {
      problem = Self.text(of: error.problems.filter { $0.severity == .error }, in: file.path)
    }
  }

  private func difference(from running: ConfigurationFile.Loaded) throws(ConfigurationFailure) -> String? {
    if try file.read() == (running.path == nil ? nil : running.text) { return nil }
    let loaded = try file.load(replacing: running)
    _ = try Authorization(loaded, scope: scope)
    let change = running.path == nil ? "exists now" : "has changed since it was read"
    return "\(file.path) \(change); 'stepperctl reload' puts it in use"
  }

  private static func text(of errors: [ConfigurationProblem], in path: String) -> String {
    let first = errors.first.map { "\($0)" } ?? "\(path): it cannot be used"
    let rest = errors.count > 1 ? " (and \(errors.count - 1) more)" : ""
    return "the configuration on the disk cannot be used, and the former one remains in use: \(first)\(rest)"
  }
}
