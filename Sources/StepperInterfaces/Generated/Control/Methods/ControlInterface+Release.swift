// Made by varlink-generate from org.stepperd.control.varlink; do not edit.

public import Varlink

extension ControlInterface {
  /// Release what this connection holds by Press or Slide. A hold that there is not, or that has ended, is no
  /// error.
  public enum Release: VarlinkMethod {
    /// `org.stepperd.control.Release`.
    public static let name = "org.stepperd.control.Release"

    /// The parameters of ``Release``.
    public struct Parameters: Hashable, Sendable, JSONReadable, JSONWritable {
      /// Stable name, [a-z0-9._-]+, at most 64 bytes.
      public var control: String
      /// Name of the hold.
      public var hold: String

      /// Takes every field.
      public init(control: String, hold: String) {
        self.control = control
        self.hold = hold
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.control = try members.value("control")
        self.hold = try members.value("hold")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) {
        let start = buffer.count
        JSONText.append(",\"control\":", control, to: &buffer)
        JSONText.append(",\"hold\":", hold, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }

    /// The results of ``Release``.
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
