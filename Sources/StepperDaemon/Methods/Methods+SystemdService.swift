import Logging
import StepperInterfaces
import StepperLinux
import Varlink

/// `io.systemd.service`.
extension Methods {
  func ping(_: NoParameters) {}

  func setLogLevel(_ parameters: SystemdServiceInterface.SetLogLevel.Parameters) {
    daemon.logLevel = parameters.level.map { Logger.Level(syslogPriority: $0) }
    daemon.journal.notice(
      .client, "process \(session.peer.processID) set the log level, which is now \(daemon.journal.level)")
  }

  func logLevel(_: NoParameters) -> SystemdServiceInterface.GetLogLevel.Reply {
    .init(level: daemon.journal.level.syslogPriority)
  }

  func environment(_: NoParameters) throws(VarlinkFailure) -> SystemdServiceInterface.GetEnvironment.Reply {
    var assignments: [String] = []
    for name in Self.shownVariables {
      guard let value = environmentBytes(name) else { continue }
      guard let text = value.text else {
        throw VarlinkFailure(SystemdServiceInterface.InconsistentEnvironment())
      }
      assignments.append("\(name)=\(text)")
    }
    return .init(environment: assignments)
  }

  /// What commands inherit, what ``Paths`` and the log read, and the folders of the service. Of any other variable it is
  /// not known whether its value is a secret.
  private static let shownVariables =
    HookEvent.inheritedVariables + [
      "XDG_CONFIG_HOME", "XDG_STATE_HOME", "CONFIGURATION_DIRECTORY", "STATE_DIRECTORY", "RUNTIME_DIRECTORY",
      "CREDENTIALS_DIRECTORY", "INVOCATION_ID", "JOURNAL_STREAM", "TERM",
    ]
}
