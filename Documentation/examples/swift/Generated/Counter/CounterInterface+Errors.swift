// Made by varlink-generate from org.example.counter.varlink; do not edit.

public import Varlink

extension CounterInterface {
  /// There are too many counters to begin another one.
  public struct TooManyCounters: VarlinkError {
    /// `org.example.counter.TooManyCounters`.
    public static let name = "org.example.counter.TooManyCounters"
    /// The most there may be.
    public var limit: Int64

    /// Takes every field.
    public init(limit: Int64) {
      self.limit = limit
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.limit = try members.value("limit")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) {
      let start = buffer.count
      JSONText.append(",\"limit\":", limit, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }
}
