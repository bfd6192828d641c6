// Made by varlink-generate from org.example.counter.varlink; do not edit.

public import Varlink

extension CounterInterface {
  /// A counter and how it stands.
  public struct Counter: Hashable, Sendable, JSONReadable, JSONWritable {
    /// Its name.
    public var name: String
    /// The sum of what was added.
    public var count: Int64

    /// Takes every field.
    public init(name: String, count: Int64) {
      self.name = name
      self.count = count
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.name = try members.value("name")
      self.count = try members.value("count")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) {
      let start = buffer.count
      JSONText.append(",\"name\":", name, to: &buffer)
      JSONText.append(",\"count\":", count, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }
}
