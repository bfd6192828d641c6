// Made by varlink-generate from org.stepperd.provider.varlink; do not edit.

public import Varlink

extension ProviderInterface {
  /// Another table matches the device, or none does any more.
  public struct Matched: Hashable, Sendable, JSONReadable, JSONWritable {
    /// Its name from now on, as in org.stepperd.device.
    public var device: String
    /// Name of the [device.NAME] table. Absent: no table matches, it is unused.
    public var table: String?

    /// Takes every field; one that may be absent is absent unless it is given.
    public init(device: String, table: String? = nil) {
      self.device = device
      self.table = table
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.device = try members.value("device")
      self.table = try members.optional("table")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) {
      let start = buffer.count
      JSONText.append(",\"device\":", device, to: &buffer)
      JSONText.append(",\"table\":", table, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }
}
