// Made by varlink-generate from org.stepperd.manager.varlink; do not edit.

public import Varlink

extension ManagerInterface {
  /// How much a problem matters: a configuration with an error is not used.
  public enum Severity: String, CaseIterable, Hashable, Sendable, JSONReadable, JSONWritable {
    case warning, error
  }

  /// A counter only grows while the daemon runs; a gauge goes up and down.
  public enum MetricType: String, CaseIterable, Hashable, Sendable, JSONReadable, JSONWritable {
    case counter, gauge
  }
}
