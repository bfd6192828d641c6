import StepperConfiguration
import StepperCore
import StepperInterfaces
import Varlink

/// The single reply to `Save`, `Reload` or `Check`, sent when the work of the daemon has ended. The loop does not wait
/// for this work.
extension Subscriptions {
  /// Whether the work of a row has ended.
  func isReady(_ row: Int) -> Bool {
    switch rows[row].topic {
    case .save(let write): store.result(of: write) != nil
    case .reload(let reading): configuration.result(of: reading) != nil
    case .check(let number, _): checks.result(of: number) != nil
    case .states, .moments, .devices, .frames, .orders: false
    }
  }

  /// Sends the result of a row whose work has ended, see ``isReady(_:)``.
  func sendResult(_ row: Int, on connection: inout VarlinkServerConnection) {
    switch rows[row].topic {
    case .save(let write):
      guard let result = store.result(of: write) else { return }
      switch result {
      case .success: connection.reply(NoParameters())
      case .failure(let failure):
        connection.fail(ManagerInterface.SaveFailed(path: store.path, message: failure.explanation))
      }
    case .reload(let reading):
      guard let result = configuration.result(of: reading) else { return }
      switch result {
      case .success(let warnings):
        connection.reply(ManagerInterface.Reload.Reply(problems: Self.messages(warnings)))
      case .failure(let failure):
        connection.fail(ManagerInterface.ConfigurationInvalid(problems: Self.messages(failure.problems)))
      }
    case .check(let number, _):
      guard let problems = checks.result(of: number) else { return }
      connection.reply(ManagerInterface.Check.Reply(problems: Self.messages(problems)))
    case .states, .moments, .devices, .frames, .orders: break
    }
  }

  private static func messages(_ problems: [ConfigurationProblem]) -> [ManagerInterface.Problem] {
    problems.map(ManagerInterface.Problem.init).fitted
  }

  /// The error of a row whose work has not ended when the daemon stops.
  func stoppingWork(_ row: Int) -> VarlinkFailure {
    switch rows[row].topic {
    case .reload:
      Self.stopping(
        "stepperd was stopped before the file was read; nothing was changed", of: configuration.path)
    case .check(_, let file): Self.stopping("stepperd was stopped before the text was checked", of: file)
    default:
      VarlinkFailure(
        ManagerInterface.SaveFailed(
          path: store.path, message: "stepperd was stopped before the disk had answered"))
    }
  }

  private static func stopping(_ message: String, of file: String) -> VarlinkFailure {
    let problem = ConfigurationProblem(file: file, keyPath: "", message: message)
    return VarlinkFailure(ManagerInterface.ConfigurationInvalid(problems: messages([problem])))
  }
}
