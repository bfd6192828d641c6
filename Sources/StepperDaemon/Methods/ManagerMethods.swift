import StepperConfiguration
import StepperInterfaces
import Varlink

/// Answers `org.stepperd.manager`.
struct ManagerMethods {
  unowned let daemon: Daemon

  /// nil if this interface does not have the method.
  func answer(_ call: VarlinkCall) throws(VarlinkFailure) -> Answer? {
    switch call.method {
    case ManagerInterface.GetStatus.name:
      _ = try call.parameters(of: ManagerInterface.GetStatus.self)
      return .reply(ManagerInterface.GetStatus.self, daemon.status)
    case ManagerInterface.Check.name:
      let parameters = try call.parameters(of: ManagerInterface.Check.self)
      let problems = ConfigurationFile.check(
        parameters.text, file: parameters.file ?? "stepperd.toml"
      ).problems
      return .reply(ManagerInterface.Check.self, .init(problems: problems.map { .init($0) }.fitted))
    case ManagerInterface.Reload.name:
      _ = try call.parameters(of: ManagerInterface.Reload.self)
      do throws(ConfigurationFailure) {
        let warnings = try daemon.reload()
        return .reply(ManagerInterface.Reload.self, .init(problems: warnings.map { .init($0) }.fitted))
      } catch {
        throw VarlinkFailure(
          ManagerInterface.ConfigurationInvalid(problems: error.problems.map { .init($0) }.fitted))
      }
    case ManagerInterface.Save.name:
      _ = try call.parameters(of: ManagerInterface.Save.self)
      return .stream(SaveReply(daemon.store))
    default: return nil
    }
  }

}

extension ManagerInterface.Problem {
  init(_ problem: ConfigurationProblem) {
    // A message may quote a key of up to 64 KiB.
    self.init(
      file: problem.file.clipped(toBytes: 1024), keyPath: problem.keyPath.clipped(toBytes: 1024),
      line: problem.line.map(Int64.init), column: problem.column.map(Int64.init),
      severity: problem.severity == .error ? .error : .warning,
      message: problem.message.clipped(toBytes: 2048), suggestion: problem.suggestion?.clipped(toBytes: 1024))
  }
}
