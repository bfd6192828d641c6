import Logging
import StepperConfiguration
import StepperInterfaces
import StepperLinux
import Varlink

/// `org.stepperd.manager`.
extension Methods {
  func status(_: NoParameters) -> ManagerInterface.GetStatus.Reply { daemon.status }

  func check(_ parameters: ManagerInterface.Check.Parameters) -> Answer {
    let file = parameters.file ?? "stepperd.toml"
    return later(.check(daemon.checks.add(parameters.text, file: file, of: session.peer.userID), file: file))
  }

  func reload(_: NoParameters) -> Answer { later(.reload(daemon.configuration.requestReload())) }

  func save(_: NoParameters) -> Answer { later(.save(daemon.store.requestWrite())) }

  func restrict(_: NoParameters) {
    session.restrict()
    daemon.endForbiddenHolds()
    devices.detach(all: session.id)
  }

  private func later(_ work: Subscription.Topic) -> Answer {
    .stream(daemon.subscriptions.add(Subscription(work, of: session.id)))
  }
}

extension ManagerInterface.Problem {
  /// Clips long texts, because a message may quote a key of up to 64 KiB.
  init(_ problem: ConfigurationProblem) {
    self.init(
      file: problem.file.clipped(toBytes: 1024), keyPath: problem.keyPath.clipped(toBytes: 1024),
      line: problem.line.map(Int64.init), column: problem.column.map(Int64.init),
      severity: problem.severity == .error ? .error : .warning,
      message: problem.message.clipped(toBytes: 2048), suggestion: problem.suggestion?.clipped(toBytes: 1024))
  }
}

/// `io.systemd.Metrics`.
extension Methods {
  /// The prefix of each metric's name. systemd's collector expects it to be the name of the socket in its directory.
  private static let prefix = "org.stepperd."

  func listMetrics(_: NoParameters) -> Answer {
    .replies(
      daemon.metrics.map { metric in
        MetricsInterface.List.Reply(
          name: Self.prefix + metric.name, object: metric.object,
          fields: metric.quantile.map { MetricsInterface.Fields(quantile: "\($0)") }, value: metric.value)
      })
  }

  func describeMetrics(_: NoParameters) -> Answer {
    .replies(
      MetricFamily<Daemon>.all.map { family in
        MetricsInterface.Describe.Reply(
          name: Self.prefix + family.name, description: family.description,
          type: family.type == .counter ? .counter : .gauge)
      })
  }
}

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

  /// The variables that commands inherit, that ``Paths`` and the log read, and that name the directories of the
  /// service. The value of any other variable may be a secret.
  private static let shownVariables =
    HookEvent.inheritedVariables + [
      "XDG_CONFIG_HOME", "XDG_STATE_HOME", "CONFIGURATION_DIRECTORY", "STATE_DIRECTORY", "RUNTIME_DIRECTORY",
      "CREDENTIALS_DIRECTORY", "INVOCATION_ID", "JOURNAL_STREAM", "TERM",
    ]
}
