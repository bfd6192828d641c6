import StepperConfiguration
import StepperCore
import StepperLinux
import SystemPackage

/// Checks texts of clients on a separate thread, one after the other: they name programs, whose file systems may be slow.
final class ConfigurationChecks {
  private let worker: WorkerThread<[ConfigurationProblem]>
  private var waiting: [(number: Int64, text: String, file: String)] = []
  /// The number of the check that the worker performs.
  private var current: Int64 = 0
  private var lastNumber: Int64 = 0
  private var results: [Int64: [ConfigurationProblem]] = [:]

  init(loop: EventLoop) throws(Errno) {
    worker = try WorkerThread(stackBytes: ConfigurationLoader.stackBytes)
    try loop.watch(worker.rawDescriptor, priority: .system) { [weak self] _, _ in self?.takeResult() }
  }

  /// Checks `text`; returns the number of the check for ``result(of:)``. End it with ``cancel(_:)``.
  func add(_ text: String, file: String) -> Int64 {
    lastNumber += 1
    waiting.append((lastNumber, text, file))
    begin()
    return lastNumber
  }

  /// The problems of a text; nil until it was checked.
  func result(of number: Int64) -> [ConfigurationProblem]? { results[number] }

  /// The result has been sent, or the client has gone.
  func cancel(_ number: Int64) {
    results[number] = nil
    waiting.removeAll { $0.number == number }
    if current == number { current = 0 }
  }

  private func takeResult() {
    guard let problems = worker.takeResult() else { return }
    if current > 0 { results[current] = problems }
    begin()
  }

  private func begin() {
    while !worker.isBusy, !waiting.isEmpty {
      let (number, text, file) = waiting.removeFirst()
      do throws(Errno) {
        try worker.start { ConfigurationFile.check(text, file: file, findsPrograms: true) }
        current = number
      } catch {
        // Without a thread there is only what can be said without waiting.
        results[number] = ConfigurationFile.check(text, file: file, findsPrograms: false)
      }
    }
  }
}
