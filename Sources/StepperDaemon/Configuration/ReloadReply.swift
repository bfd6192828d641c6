import StepperConfiguration
import StepperCore
import StepperInterfaces
import Varlink

/// The reply to `Reload`, sent when the file was read and is in use, or cannot be used.
final class ReloadReply: LateReply {
  let session: Int64
  private let configuration: ConfigurationLoader
  private let reading: Int64
  var isSent = false

  init(_ configuration: ConfigurationLoader, for session: Int64) {
    (self.configuration, self.session) = (configuration, session)
    reading = configuration.requestReload()
  }

  var isReady: Bool { configuration.result(of: reading) != nil }

  func send(on connection: inout VarlinkServerConnection) {
    switch configuration.result(of: reading) {
    case nil: break
    case .success(let warnings)?:
      connection.reply(
        ManagerInterface.Reload.Reply(problems: warnings.map(ManagerInterface.Problem.init).fitted))
    case .failure(let failure)?:
      let problems = failure.problems.map(ManagerInterface.Problem.init).fitted
      connection.fail(ManagerInterface.ConfigurationInvalid(problems: problems))
    }
  }

  var stopping: VarlinkFailure {
    let message = "stepperd was stopped before the file was read; nothing was changed"
    let problem = ConfigurationProblem(file: configuration.path, keyPath: "", message: message)
    return VarlinkFailure(
      ManagerInterface.ConfigurationInvalid(problems: [ManagerInterface.Problem(problem)]))
  }
}
