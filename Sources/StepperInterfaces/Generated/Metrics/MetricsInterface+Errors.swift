// Made by varlink-generate from io.systemd.Metrics.varlink; do not edit.

public import Varlink

extension MetricsInterface {
  /// There is no metric to list.
  public struct NoSuchMetric: VarlinkError {
    /// `io.systemd.Metrics.NoSuchMetric`.
    public static let name = "io.systemd.Metrics.NoSuchMetric"

    /// It has no fields.
    public init() {}

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      try JSONMembers(value).end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) {
      let start = buffer.count
      JSONText.endObject(from: start, in: &buffer)
    }
  }
}
