// Made by varlink-generate from io.systemd.Metrics.varlink; do not edit.

public import Varlink

extension MetricsInterface {
  /// What tells metrics of one name and object apart.
  public struct Fields: Hashable, Sendable, JSONReadable, JSONWritable {
    /// Which part of the samples is at most the value: `0.99`.
    public var quantile: String?

    /// Takes every field; one that may be absent is absent unless it is given.
    public init(quantile: String? = nil) {
      self.quantile = quantile
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.quantile = try members.optional("quantile")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) {
      let start = buffer.count
      JSONText.append(",\"quantile\":", quantile, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }
}
