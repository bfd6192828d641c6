// Made by varlink-generate from org.stepperd.provider.varlink; do not edit.

public import Varlink

extension ProviderInterface {
  /// How a device stands after its provider has lost something.
  public struct Lost: Hashable, Sendable, JSONReadable, JSONWritable {
    /// The keys that are down.
    public var keysDown: [String]
    /// Where its absolute axes are, by their codes.
    public var positions: [Event]

    /// Takes every field.
    public init(keysDown: [String], positions: [Event]) {
      self.keysDown = keysDown
      self.positions = positions
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.keysDown = try members.value("keysDown")
      self.positions = try members.value("positions")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
      let start = buffer.count
      try JSONText.append(",\"keysDown\":", keysDown, to: &buffer)
      try JSONText.append(",\"positions\":", positions, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }
}
