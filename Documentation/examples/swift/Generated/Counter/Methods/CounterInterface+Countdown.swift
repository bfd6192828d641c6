// Made by varlink-generate from org.example.counter.varlink; do not edit.

public import Varlink

extension CounterInterface {
  /// Count down to 0, one reply for each number. Must be called with `more`.
  public enum Countdown: VarlinkMethod {
    /// `org.example.counter.Countdown`.
    public static let name = "org.example.counter.Countdown"
    /// It is answered with a stream of replies, and only when called with `more`.
    public static let expectsMore = true

    /// The parameters of ``Countdown``.
    public struct Parameters: Hashable, Sendable, JSONReadable, JSONWritable {
      /// The first number.
      public var from: Int64

      /// Takes every field.
      public init(from: Int64) {
        self.from = from
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.from = try members.value("from")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) {
        let start = buffer.count
        JSONText.append(",\"from\":", from, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }

    /// The results of ``Countdown``.
    public struct Reply: Hashable, Sendable, JSONReadable, JSONWritable {
      /// What is left.
      public var left: Int64

      /// Takes every field.
      public init(left: Int64) {
        self.left = left
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.left = try members.value("left")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) {
        let start = buffer.count
        JSONText.append(",\"left\":", left, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }
  }
}
