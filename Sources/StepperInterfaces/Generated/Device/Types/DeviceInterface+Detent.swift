// Made by varlink-generate from org.stepperd.device.varlink; do not edit.

public import Varlink

extension DeviceInterface {
  /// Counts of one detent of a relative axis.
  public struct Detent: Hashable, Sendable, JSONReadable, JSONWritable {
    /// Name of the code: `REL_DIAL`.
    public var code: String
    /// More than 1.
    public var counts: Int64

    /// Takes every field.
    public init(code: String, counts: Int64) {
      self.code = code
      self.counts = counts
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.code = try members.value("code")
      self.counts = try members.value("counts")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) {
      let start = buffer.count
      JSONText.append(",\"code\":", code, to: &buffer)
      JSONText.append(",\"counts\":", counts, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }
}
