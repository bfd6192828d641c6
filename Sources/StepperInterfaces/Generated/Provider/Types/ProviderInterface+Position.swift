// Made by varlink-generate from org.stepperd.provider.varlink; do not edit.

public import Varlink

extension ProviderInterface {
  /// A position to go to.
  public struct Position: Hashable, Sendable, JSONReadable, JSONWritable {
    /// Name of the output that goes there.
    public var output: String
    /// Name of the axis' code.
    public var axis: String
    /// 0 to 1 of its travel from `minimum` to `maximum`.
    public var position: Double

    /// Takes every field.
    public init(output: String, axis: String, position: Double) {
      self.output = output
      self.axis = axis
      self.position = position
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.output = try members.value("output")
      self.axis = try members.value("axis")
      self.position = try members.value("position")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
      let start = buffer.count
      JSONText.append(",\"output\":", output, to: &buffer)
      JSONText.append(",\"axis\":", axis, to: &buffer)
      try JSONText.append(",\"position\":", position, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }
}
