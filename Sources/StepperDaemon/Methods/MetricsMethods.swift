import StepperInterfaces
import Varlink

/// Answers `io.systemd.Metrics`.
struct MetricsMethods {
  unowned let daemon: Daemon

  /// What systemd's collector expects in front of each name: that of the service's socket in its folder.
  static let prefix = "org.stepperd."

  /// nil: no method of this interface.
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
