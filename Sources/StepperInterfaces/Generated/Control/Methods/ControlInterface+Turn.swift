// Made by varlink-generate from org.stepperd.control.varlink; do not edit.

public import Varlink

extension ControlInterface {
  /// Turn a knob of a control that only clients have: `detents` are as many at once as a device reports in
  /// one frame, without acceleration. A turn is a gesture that ends when the knob has rested for a moment. A
  /// button has none: InvalidParameter.
  public enum Turn: VarlinkMethod {
    /// `org.stepperd.control.Turn`.
    public static let name = "org.stepperd.control.Turn"

    /// The parameters of ``Turn``.
    public struct Parameters: Hashable, Sendable, JSONReadable, JSONWritable {
      /// Stable name, [a-z0-9._-]+, at most 64 bytes.
      public var control: String
      /// How many, clockwise positive, -2147483648 to 2147483647.
      public var detents: Int64

      /// Takes every field.
      public init(control: String, detents: Int64) {
        self.control = control
        self.detents = detents
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.control = try members.value("control")
        self.detents = try members.value("detents")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) {
        let start = buffer.count
        JSONText.append(",\"control\":", control, to: &buffer)
        JSONText.append(",\"detents\":", detents, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }

    /// The results of ``Turn``.
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
