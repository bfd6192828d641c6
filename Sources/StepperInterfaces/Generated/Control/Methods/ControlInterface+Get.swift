// Made by varlink-generate from org.stepperd.control.varlink; do not edit.

public import Varlink

extension ControlInterface {
  /// One control.
  public enum Get: VarlinkMethod {
    /// `org.stepperd.control.Get`.
    public static let name = "org.stepperd.control.Get"

    /// The parameters of ``Get``.
    public struct Parameters: Hashable, Sendable, JSONReadable, JSONWritable {
      /// Stable name, [a-z0-9._-]+, at most 64 bytes.
      public var control: String

      /// Takes every field.
      public init(control: String) {
        self.control = control
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.control = try members.value("control")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) {
        let start = buffer.count
        JSONText.append(",\"control\":", control, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }

    /// The results of ``Get``.
    public struct Reply: Hashable, Sendable, JSONReadable, JSONWritable {
      /// The present state of one control.
      public var state: State

      /// Takes every field.
      public init(state: State) {
        self.state = state
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.state = try members.value("state")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
        let start = buffer.count
        try JSONText.append(",\"state\":", state, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }
  }
}
