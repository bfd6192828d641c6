import StepperConfiguration
import StepperInterfaces
import Varlink

/// `org.stepperd.manager`.
extension Methods {
  func status(_: NoParameters) -> ManagerInterface.GetStatus.Reply { daemon.status }

  func check(_ parameters: ManagerInterface.Check.Parameters) -> ManagerInterface.Check.Reply {
    let file = parameters.file ?? "stepperd.toml"
    return .init(problems: reported(ConfigurationFile.check(parameters.text, file: file).problems))
  }

  func reload(_: NoParameters) throws(VarlinkFailure) -> ManagerInterface.Reload.Reply {
    do throws(ConfigurationFailure) {
      return .init(problems: reported(try daemon.reload()))
    } catch {
      throw VarlinkFailure(ManagerInterface.ConfigurationInvalid(problems: reported(error.problems)))
    }
  }

  func save(_: NoParameters) -> Answer { .stream(SaveReply(daemon.store)) }

  /// As many problems as a reply has room for. A message may quote a key of up to 64 KiB.
  private func reported(_ problems: [ConfigurationProblem]) -> [ManagerInterface.Problem] {
    problems.map { problem in
      ManagerInterface.Problem(
        file: problem.file.clipped(toBytes: 1024), keyPath: problem.keyPath.clipped(toBytes: 1024),
        line: problem.line.map(Int64.init), column: problem.column.map(Int64.init),
        severity: problem.severity == .error ? .error : .warning,
        message: problem.message.clipped(toBytes: 2048),
        suggestion: problem.suggestion?.clipped(toBytes: 1024))
    }.fitted
  }
}

/// `io.systemd.Metrics`.
extension Methods {
  /// The prefix of each name, which systemd's collector expects: the name of the socket in its directory.
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
      MetricFamily.all.map { family in
        MetricsInterface.Describe.Reply(
          name: Self.prefix + family.name, description: family.description,
          type: family.type == .counter ? .counter : .gauge)
      })
  }
}
