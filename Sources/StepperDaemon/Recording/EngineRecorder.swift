import StepperCore
import StepperLinux
import StepperText
import SystemPackage

/// Writes the log of the engine to a file, on a separate thread. A slow or full disk costs parts of the log, but never
/// delays an input.
///
/// New entries are passed to the thread at once, but at most every 100 ms, so that little is lost if the process is
/// killed. In between, ``EngineLog`` keeps the entries, up to a limit.
final class EngineRecorder {
  /// Why inputs are not recorded, or not all of them.
  private(set) var problem = StandingProblem()
  /// When to call ``writeIfDue(at:)``; nil: there is nothing to write, or a write is in progress.
  var deadline: Instant? { hasWork && !worker.isBusy ? nextWrite : nil }

  private let world: World
  private let journal: Journal
  private let file: RecordingFile
  private let worker: WorkerThread<Result<Void, Errno>>
  private var nextWrite = Instant.distantPast
  /// The number of lost inputs that was last reported.
  private var reportedLoss: Int64 = 0

  private static let interval = Duration.milliseconds(100)
  private static let bufferLimit = 4 << 20
  private static let timeoutAtStop = Duration.seconds(1)

  /// Why nothing is recorded, for people.
  struct Failure: Error {
    let text: String

    init(_ reason: String) { text = "inputs are not recorded: \(reason)" }
  }

  /// Begins a recording of `world`, which must not have had an input yet.
  init(_ recording: EngineRecording, of world: World, journal: Journal) throws(Failure) {
    self.world = world
    self.journal = journal
    let size = world.loaded.wholeText.count
    guard recording.limit > size else {
      throw Failure("the configuration alone has \(size) bytes, more than --record-limit")
    }
    do throws(Errno) {
      worker = try WorkerThread()
      file = try RecordingFile(creating: recording.path)
    } catch {
      throw Failure("cannot create \(recording.path): \(error)")
    }
    world.beginLog(fileLimit: recording.limit, bufferLimit: Self.bufferLimit)
    journal.notice(.daemon, "inputs are recorded to \(file.path), at most \(recording.limit) bytes")
  }

  /// Readable when ``takeResult()`` has something to do.
  var rawDescriptor: CInt { worker.rawDescriptor }

  private var hasWork: Bool { world.log.map { !$0.isEmpty } ?? false }

  func writeIfDue(at now: Instant) {
    if let deadline, deadline <= now { write(at: now) }
  }

  private func write(at now: Instant) {
    guard let bytes = world.log?.takeBytes() else { return }
    nextWrite = now + Self.interval
    let file = file
    do throws(Errno) {
      try worker.start { Result { () throws(Errno) in try file.append(bytes) } }
    } catch {
      stop("cannot start a thread to write \(file.path): \(error)")
    }
  }

  /// Takes the result of a write that has ended.
  func takeResult() {
    if let result = worker.takeResult() { note(result) }
  }

  private func note(_ result: Result<Void, Errno>) {
    if case .failure(let error) = result { return stop("cannot write \(file.path): \(error)") }
    guard let log = world.log else { return }
    if log.lostCount > reportedLoss {
      let text = "the disk of \(file.path) is too slow: \(log.lostCount) inputs are missing in the recording"
      problem.change(to: text)
      journal.warning(.daemon, text)
      reportedLoss = log.lostCount
    }
    if log.hasEnded, log.isEmpty {
      journal.notice(.daemon, "the recording \(file.path) has reached its limit and ends")
      world.log = nil
    }
  }

  private func stop(_ reason: String) {
    world.log = nil
    let text = "inputs are no longer recorded: \(reason)"
    problem.change(to: text)
    journal.error(.daemon, text)
  }

  /// Writes the rest of the log when the daemon stops, and waits for at most a second.
  func finish() {
    let deadline = Instant.now + Self.timeoutAtStop
    world.log?.end("the daemon stopped")
    while hasWork || worker.isBusy {
      if !worker.isBusy { write(at: .now) }
      guard worker.isBusy else { return }
      guard let result = worker.waitForResult(until: deadline) else {
        return journal.error(.daemon, "the end of the recording was not written: the disk has not answered")
      }
      if case .failure(let error) = result { return stop("cannot write \(file.path): \(error)") }
    }
  }
}
