import StepperConfiguration
import StepperCore
import StepperInterfaces
import StepperLinux
import SystemPackage
import Varlink

/// The reply to `Check`, sent when the text was checked.
final class CheckReply: LateReply {
  let session: Int64
  fileprivate let text: String
  fileprivate let file: String
  fileprivate var problems: [ConfigurationProblem]?
  var isSent = false

  init(_ parameters: ManagerInterface.Check.Parameters, for session: Int64) {
    self.session = session
    (text, file) = (parameters.text, parameters.file ?? "stepperd.toml")
  }

  var isReady: Bool { problems != nil }

  func send(on connection: inout VarlinkServerConnection) {
    guard let problems else { return }
    connection.reply(
      ManagerInterface.Check.Reply(problems: problems.map(ManagerInterface.Problem.init).fitted))
  }

  var stopping: VarlinkFailure {
    let message = "stepperd was stopped before the text was checked"
    let problem = ManagerInterface.Problem(ConfigurationProblem(file: file, keyPath: "", message: message))
    return VarlinkFailure(ManagerInterface.ConfigurationInvalid(problems: [problem]))
  }
}

/// Checks texts of clients on a separate thread, one after the other: they name programs, whose file systems may be slow.
final class ConfigurationChecks {
  private let worker: WorkerThread<[ConfigurationProblem]>
  private var current: Waiting?
  private var waiting: [Waiting] = []

  /// A reply, unless its client has gone.
  private struct Waiting {
    weak var reply: CheckReply?
  }

  init(loop: EventLoop) throws(Errno) {
    worker = try WorkerThread(stackBytes: ConfigurationLoader.stackBytes)
    try loop.watch(worker.rawDescriptor, priority: .system) { [weak self] _, _ in self?.takeResult() }
  }

  func add(_ reply: CheckReply) {
    waiting.append(Waiting(reply: reply))
    begin()
  }

  private func takeResult() {
    guard let problems = worker.takeResult() else { return }
    current?.reply?.problems = problems
    current = nil
    begin()
  }

  private func begin() {
    while !worker.isBusy, !waiting.isEmpty {
      let next = waiting.removeFirst()
      guard let reply = next.reply else { continue }
      let (text, file) = (reply.text, reply.file)
      do throws(Errno) {
        try worker.start { ConfigurationFile.check(text, file: file, findsPrograms: true) }
        current = next
      } catch {
        // Without a thread there is only what can be said without waiting.
        reply.problems = ConfigurationFile.check(text, file: file, findsPrograms: false)
      }
    }
  }
}
