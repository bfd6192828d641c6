// Made by varlink-generate from org.stepperd.control.varlink; do not edit.

public import Varlink

extension ControlInterface {
  /// Go back to the configured default.
  public enum Reset: VarlinkMethod {
    /// `org.stepperd.control.Reset`.
    public static let name = "org.stepperd.control.Reset"

    /// The parameters of ``Reset``.
    public struct Parameters: Hashable, Sendable, JSONReadable, JSONWritable {
      /// Stable name, [a-z0-9._-]+, at most 64 bytes.
      public var control: String
      /// Whether the reply has the description, too. Absent: it does not.
      public var describe: Bool?

      /// Takes every field; one that may be absent is absent unless it is given.
      public init(control: String, describe: Bool? = nil) {
        self.control = control
        self.describe = describe
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.control = try members.value("control")
        self.describe = try members.optional("describe")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) {
        let start = buffer.count
        JSONText.append(",\"control\":", control, to: &buffer)
        JSONText.append(",\"describe\":", describe, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }

    /// The results of ``Reset``.
    public struct Reply: Hashable, Sendable, JSONReadable, JSONWritable {
      /// The present state of one control.
      public var state: State
      /// The description of the control, if it was to `describe`.
      public var description: Description?

      /// Takes every field; one that may be absent is absent unless it is given.
      public init(state: State, description: Description? = nil) {
        self.state = state
        self.description = description
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.state = try members.value("state")
        self.description = try members.optional("description")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
        let start = buffer.count
        try JSONText.append(",\"state\":", state, to: &buffer)
        try JSONText.append(",\"description\":", description, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }
  }
}
