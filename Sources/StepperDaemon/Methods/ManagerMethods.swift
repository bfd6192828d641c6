import StepperConfiguration
import StepperWire

/// Answers `org.stepperd.manager`.
struct ManagerMethods {
  unowned let daemon: Daemon

  /// nil: no method of this interface.
  func answer(_ call: VarlinkCall, isAdministrator: Bool) throws(VarlinkFailure) -> Answer? {
    switch call.method {
    case ManagerInterface.GetStatus.name:
      _ = try call.parameters(of: ManagerInterface.GetStatus.self)
      return .reply(ManagerInterface.GetStatus.self, daemon.status)
    case ManagerInterface.Check.name:
      let parameters = try call.parameters(of: ManagerInterface.Check.self)
      let problems = daemon.check(parameters.text, file: parameters.file ?? "stepperd.toml")
      return .reply(ManagerInterface.Check.self, .init(problems: problems.map { .init($0) }))
    case ManagerInterface.Reload.name:
      _ = try call.parameters(of: ManagerInterface.Reload.self)
      try permit(isAdministrator)
      do throws(ConfigurationFailure) {
        let warnings = try daemon.reload()
        return .reply(ManagerInterface.Reload.self, .init(problems: warnings.map { .init($0) }))
      } catch {
        throw VarlinkFailure(
          ManagerInterface.ConfigurationInvalid(problems: error.problems.map { .init($0) }))
      }
    case ManagerInterface.Save.name:
      _ = try call.parameters(of: ManagerInterface.Save.self)
      try permit(isAdministrator)
      return .stream(SaveReply(daemon.store))
    default: return nil
    }
  }

  private func permit(_ isAdministrator: Bool) throws(VarlinkFailure) {
    guard isAdministrator else { throw VarlinkFailure(ServiceInterface.PermissionDenied()) }
  }
}

extension ManagerInterface.Problem {
  init(_ problem: ConfigurationProblem) {
    self.init(
      file: problem.file, keyPath: problem.keyPath, line: problem.line,
      column: problem.column, severity: problem.severity == .error ? .error : .warning,
      message: problem.message, suggestion: problem.suggestion)
  }
}
