// Made by varlink-generate from org.example.counter.varlink; do not edit.

public import Varlink

extension CounterInterface {
  /// Add to a counter, which begins at 0.
  public enum Add: VarlinkMethod {
    /// `org.example.counter.Add`.
    public static let name = "org.example.counter.Add"

    /// The parameters of ``Add``.
    public struct Parameters: Hashable, Sendable, JSONReadable, JSONWritable {
      /// Its name.
      public var name: String
      /// How much. Absent: 1.
      public var by: Int64?

      /// Takes every field; one that may be absent is absent unless it is given.
      public init(name: String, by: Int64? = nil) {
        self.name = name
        self.by = by
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.name = try members.value("name")
        self.by = try members.optional("by")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) {
        let start = buffer.count
        JSONText.append(",\"name\":", name, to: &buffer)
        JSONText.append(",\"by\":", by, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }

    /// The results of ``Add``.
    public struct Reply: Hashable, Sendable, JSONReadable, JSONWritable {
      /// A counter and how it stands.
      public var counter: Counter

      /// Takes every field.
      public init(counter: Counter) {
        self.counter = counter
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.counter = try members.value("counter")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
        let start = buffer.count
        try JSONText.append(",\"counter\":", counter, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }
  }
}
