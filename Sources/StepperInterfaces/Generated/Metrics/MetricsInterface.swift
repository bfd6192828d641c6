// Made by varlink-generate from io.systemd.Metrics.varlink; do not edit.

/// Metrics in the form in which systemd collects them (systemd-report).
public enum MetricsInterface {
  /// The name of the interface.
  public static let name = "io.systemd.Metrics"
}
