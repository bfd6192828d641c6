// Made by varlink-generate from org.stepperd.provider.varlink; do not edit.

public import Varlink

extension ProviderInterface {
  /// One event of a frame.
  public struct Event: Hashable, Sendable, JSONReadable, JSONWritable {
    /// Name of the code, one that the device was attached with.
    public var code: String
    /// 1 and 0 of a key that goes down and up, 2 while it stays down; the movement of a relative axis,
    /// clockwise positive; the position of an absolute one.
    public var value: Int64

    /// Takes every field.
    public init(code: String, value: Int64) {
      self.code = code
      self.value = value
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.code = try members.value("code")
      self.value = try members.value("value")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) {
      let start = buffer.count
      JSONText.append(",\"code\":", code, to: &buffer)
      JSONText.append(",\"value\":", value, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }
}
