import StepperInterfaces
import Varlink

/// Answers `io.systemd.Metrics`.
struct MetricsMethods {
  unowned let daemon: Daemon

  /// The prefix of each name, which systemd's collector expects: the name of the socket in its directory.
  static let prefix = "org.stepperd."

  /// nil if this interface does not have the method.
  func answer(_ call: VarlinkCall) throws(VarlinkFailure) -> Answer? {
    switch call.method {
    case MetricsInterface.List.name:
      _ = try call.parameters(of: MetricsInterface.List.self)
      return .replies(daemon.metrics.map(listed))
    case MetricsInterface.Describe.name:
      _ = try call.parameters(of: MetricsInterface.Describe.self)
      return .replies(MetricFamily.all.map(described))
    default: return nil
    }
  }

  private func listed(_ metric: ManagerInterface.Metric) -> MetricsInterface.List.Reply {
    .init(
      name: Self.prefix + metric.name, object: metric.object,
      fields: metric.quantile.map { MetricsInterface.Fields(quantile: "\($0)") }, value: metric.value)
  }

  private func described(_ family: MetricFamily) -> MetricsInterface.Describe.Reply {
    .init(
      name: Self.prefix + family.name, description: family.description,
      type: family.type == .counter ? .counter : .gauge)
  }
}
