// Made by varlink-generate from org.stepperd.control.varlink; do not edit.

public import Varlink

extension ControlInterface {
  /// Press a button of a control that only this connection has, until Release with the same `hold`, until the
  /// lease has passed, or until the connection closes; each of them is the release of the button. It is a
  /// button that is bound to this control alone: when it steps, repeats, climbs and ends is the control's
  /// configuration, as for a button of a device, and so are its moments. The reply comes at the press;
  /// Subscribe tells what follows.
  ///
  /// A client chooses the name of each hold; the same name of another connection is another hold. Renew
  /// renews the lease. A connection has at most 64 holds.
  ///
  /// A name that is in use is HoldInUse, on a connection that has called Renew. On any other one Press with a
  /// name in use renews the lease and presses nothing, also after the hold has ended, until Release frees the
  /// name; with another control or action it is InvalidParameter. This is for clients that were written
  /// before Renew, until the next major version of the daemon.
  ///
  /// `held` says whether the button is down in the eyes of the control. It is false where the control is
  /// disabled, unset or at an end where its button is off, where its `second-press` refuses the press, and
  /// when the hold has ended: by the lease, by another press, by sleep of the machine, or by a reload that
  /// removes or disables the control or takes away the right to change it. Adjust and other reloads do not
  /// end it.
  public enum Press: VarlinkMethod {
    /// `org.stepperd.control.Press`.
    public static let name = "org.stepperd.control.Press"

    /// The parameters of ``Press``.
    public struct Parameters: Hashable, Sendable, JSONReadable, JSONWritable {
      /// Stable name, [a-z0-9._-]+, at most 64 bytes.
      public var control: String
      /// What Press presses: a button with that action in the configuration.
      public var action: Action
      /// Name of the hold, [A-Za-z0-9_-]+, at most 64 bytes.
      public var hold: String
      /// When the hold is released by itself, in milliseconds from now, 100 to 10000. Absent: when the
      /// connection closes.
      public var leaseMilliseconds: Int64?

      /// Takes every field; one that may be absent is absent unless it is given.
      public init(control: String, action: Action, hold: String, leaseMilliseconds: Int64? = nil) {
        self.control = control
        self.action = action
        self.hold = hold
        self.leaseMilliseconds = leaseMilliseconds
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.control = try members.value("control")
        self.action = try members.value("action")
        self.hold = try members.value("hold")
        self.leaseMilliseconds = try members.optional("leaseMilliseconds")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
        let start = buffer.count
        JSONText.append(",\"control\":", control, to: &buffer)
        try JSONText.append(",\"action\":", action, to: &buffer)
        JSONText.append(",\"hold\":", hold, to: &buffer)
        JSONText.append(",\"leaseMilliseconds\":", leaseMilliseconds, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }

    /// The results of ``Press``.
    public struct Reply: Hashable, Sendable, JSONReadable, JSONWritable {
      /// The present state of one control.
      public var state: State
      /// Whether the button is down in the eyes of the control.
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
