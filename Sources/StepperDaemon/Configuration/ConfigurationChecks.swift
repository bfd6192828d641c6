import StepperConfiguration
import StepperCore
import StepperLinux
import SystemPackage

/// Checks configurations that clients send, one after the other on a separate thread, because they name programs, whose
/// file systems may be slow. Users with waiting texts take turns.
final class ConfigurationChecks {
  private let worker: WorkerThread<[ConfigurationProblem]>
  private let scope: Paths.Scope
  private var waiting: [Check] = []
  /// The number of the last turn of each user with waiting texts. Later turns have larger numbers.
  private var turns: [UInt32: Int64] = [:]
  private var lastTurn: Int64 = 0
  /// The number of the check that the worker performs.
  private var current: Int64 = 0
  private var lastNumber: Int64 = 0
  private var results: [Int64: [ConfigurationProblem]] = [:]

  nonisolated private struct Check: Sendable {
    let number: Int64
    let text: String
    let file: String
    let user: UInt32

    func problems(_ scope: Paths.Scope, findsPrograms: Bool) -> [ConfigurationProblem] {
      ConfigurationFile.check(text, file: file, scope: scope, findsPrograms: findsPrograms)
    }
  }

  /// The texts are checked for a daemon of `scope`.
  init(loop: EventLoop, scope: Paths.Scope) throws(Errno) {
    self.scope = scope
    worker = try WorkerThread(stackBytes: ConfigurationLoader.stackBytes)
    try loop.watch(worker.rawDescriptor, priority: .system) { [weak self] _, _ in self?.takeResult() }
  }

  /// Checks `text` of `user`; returns the number of the check for ``result(of:)``. End it with ``cancel(_:)``.
  func add(_ text: String, file: String, of user: UInt32) -> Int64 {
    lastNumber += 1
    waiting.append(Check(number: lastNumber, text: text, file: file, user: user))
    begin()
    return lastNumber
  }

  /// The problems of a text; nil until it was checked.
  func result(of number: Int64) -> [ConfigurationProblem]? { results[number] }

  /// Forgets a check, because its result has been sent or its client has disconnected.
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
    while !worker.isBusy, let check = takeNext() {
      do throws(Errno) {
        try worker.start { [scope] in check.problems(scope, findsPrograms: true) }
        current = check.number
      } catch {
        // Without a thread, perform only the checks that do not wait for file systems.
        results[check.number] = check.problems(scope, findsPrograms: false)
      }
    }
  }

  /// The oldest text of the user whose turn was longest ago.
  private func takeNext() -> Check? {
    let place = waiting.indices.min { first, second in
      (turns[waiting[first].user] ?? 0, waiting[first].number) < (
        turns[waiting[second].user] ?? 0, waiting[second].number
      )
    }
    guard let place else { return nil }
    let check = waiting.remove(at: place)
    let users = Set(waiting.map(\.user))
    turns = turns.filter { users.contains($0.key) }
    lastTurn += 1
    turns[check.user] = lastTurn
    return check
  }
}
