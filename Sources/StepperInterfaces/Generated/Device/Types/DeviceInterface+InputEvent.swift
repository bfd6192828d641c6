// Made by varlink-generate from org.stepperd.device.varlink; do not edit.

public import Varlink

extension DeviceInterface {
  /// One event of a frame, by the name of its code: `REL_DIAL`. A code without a name has its type and
  /// number: `EV_ABS:0x3f`.
  public struct InputEvent: Hashable, Sendable, JSONReadable, JSONWritable {
    /// Name of the event's code, as in InputEvent.
    public var code: String
    /// Where it stands.
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
