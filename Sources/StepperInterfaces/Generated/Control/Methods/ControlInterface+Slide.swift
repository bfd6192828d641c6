// Made by varlink-generate from org.stepperd.control.varlink; do not edit.

public import Varlink

extension ControlInterface {
  /// Move a fader of a control that only this connection has: `position` becomes a value by the control's
  /// `curve`, and takes over by its `pickup`. The gesture lasts until Release, until the lease has passed or
  /// until the connection closes; names and leases are those of Press, each Slide renews its lease, and one
  /// after its end begins again. A control of kind button, and one without both ends of its range, has no
  /// fader: InvalidParameter.
  public enum Slide: VarlinkMethod {
    /// `org.stepperd.control.Slide`.
    public static let name = "org.stepperd.control.Slide"

    /// The parameters of ``Slide``.
    public struct Parameters: Hashable, Sendable, JSONReadable, JSONWritable {
      /// Stable name, [a-z0-9._-]+, at most 64 bytes.
      public var control: String
      /// 0 at the lower end of the travel, 1 at the upper.
      public var position: Double
      /// Name of the hold, [A-Za-z0-9_-]+, at most 64 bytes.
      public var hold: String
      /// When the hold is released by itself, in milliseconds from now, 100 to 10000. Absent: when the
      /// connection closes.
      public var leaseMilliseconds: Int64?

      /// Takes every field; one that may be absent is absent unless it is given.
      public init(control: String, position: Double, hold: String, leaseMilliseconds: Int64? = nil) {
        self.control = control
        self.position = position
        self.hold = hold
        self.leaseMilliseconds = leaseMilliseconds
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.control = try members.value("control")
        self.position = try members.value("position")
        self.hold = try members.value("hold")
        self.leaseMilliseconds = try members.optional("leaseMilliseconds")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
        let start = buffer.count
        JSONText.append(",\"control\":", control, to: &buffer)
        try JSONText.append(",\"position\":", position, to: &buffer)
        JSONText.append(",\"hold\":", hold, to: &buffer)
        JSONText.append(",\"leaseMilliseconds\":", leaseMilliseconds, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }

    /// The results of ``Slide``.
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
