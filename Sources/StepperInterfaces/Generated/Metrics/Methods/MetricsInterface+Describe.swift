// Made by varlink-generate from io.systemd.Metrics.varlink; do not edit.

public import Varlink

extension MetricsInterface {
  /// What the metrics are, one reply for each name. Must be called with `more`.
  public enum Describe: VarlinkMethod {
    /// `io.systemd.Metrics.Describe`.
    public static let name = "io.systemd.Metrics.Describe"
    /// It is answered with a stream of replies, and only when called with `more`.
    public static let expectsMore = true

    /// ``Describe`` has no parameters.
    public typealias Parameters = NoParameters

    /// The results of ``Describe``.
    public struct Reply: Hashable, Sendable, JSONReadable, JSONWritable {
      /// For example `org.stepperd.eventsRead`.
      public var name: String
      /// What it says, in words.
      public var description: String
      /// What values a metric has: a counter only grows while the service runs.
      public var type: MetricFamilyType

      /// Takes every field.
      public init(name: String, description: String, type: MetricFamilyType) {
        self.name = name
        self.description = description
        self.type = type
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.name = try members.value("name")
        self.description = try members.value("description")
        self.type = try members.value("type")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
        let start = buffer.count
        JSONText.append(",\"name\":", name, to: &buffer)
        JSONText.append(",\"description\":", description, to: &buffer)
        try JSONText.append(",\"type\":", type, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }
  }
}
