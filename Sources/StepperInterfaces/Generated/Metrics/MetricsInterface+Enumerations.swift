// Made by varlink-generate from io.systemd.Metrics.varlink; do not edit.

public import Varlink

extension MetricsInterface {
  /// What values a metric has: a counter only grows while the service runs.
  public enum MetricFamilyType: String, CaseIterable, Hashable, Sendable, JSONReadable, JSONWritable {
    case counter, gauge, string
  }
}
