// Made by varlink-generate from org.stepperd.control.varlink; do not edit.

public import Varlink

extension ControlInterface {
  /// Renew the lease of what this connection holds by Press or Slide. It never presses anything: a hold that
  /// has been released, or has ended by its lease, is NoSuchHold.
  public enum Renew: VarlinkMethod {
    /// `org.stepperd.control.Renew`.
    public static let name = "org.stepperd.control.Renew"

    /// The parameters of ``Renew``.
    public struct Parameters: Hashable, Sendable, JSONReadable, JSONWritable {
      /// Stable name, [a-z0-9._-]+, at most 64 bytes.
      public var control: String
      /// Name of the hold, [A-Za-z0-9_-]+, at most 64 bytes.
      public var hold: String
      /// When the hold is released by itself, in milliseconds from now, 100 to 10000. Absent: when the
      /// connection closes.
      public var leaseMilliseconds: Int64?

      /// Takes every field; one that may be absent is absent unless it is given.
      public init(control: String, hold: String, leaseMilliseconds: Int64? = nil) {
        self.control = control
        self.hold = hold
        self.leaseMilliseconds = leaseMilliseconds
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.control = try members.value("control")
        self.hold = try members.value("hold")
        self.leaseMilliseconds = try members.optional("leaseMilliseconds")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) {
        let start = buffer.count
        JSONText.append(",\"control\":", control, to: &buffer)
        JSONText.append(",\"hold\":", hold, to: &buffer)
        JSONText.append(",\"leaseMilliseconds\":", leaseMilliseconds, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }

    /// The results of ``Renew``.
    public struct Reply: Hashable, Sendable, JSONReadable, JSONWritable {
      /// The present state of one control.
      public var state: State
      /// Whether the button is down in the eyes of the control; of a fader: true.
      public var held: Bool

      /// Takes every field.
      public init(state: State, held: Bool) {
        self.state = state
        self.held = held
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.state = try members.value("state")
        self.held = try members.value("held")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
        let start = buffer.count
        try JSONText.append(",\"state\":", state, to: &buffer)
        JSONText.append(",\"held\":", held, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }
  }
}
