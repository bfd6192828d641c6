// Made by varlink-generate from org.stepperd.control.varlink; do not edit.

public import Varlink

extension ControlInterface {
  /// Description and state of one control.
  public struct Control: Hashable, Sendable, JSONReadable, JSONWritable {
    /// What does not change while the configuration does not change and nobody calls Adjust.
    public var description: Description
    /// The present state of one control.
    public var state: State

    /// Takes every field.
    public init(description: Description, state: State) {
      self.description = description
      self.state = state
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.description = try members.value("description")
      self.state = try members.value("state")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
      let start = buffer.count
      try JSONText.append(",\"description\":", description, to: &buffer)
      try JSONText.append(",\"state\":", state, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }
}
