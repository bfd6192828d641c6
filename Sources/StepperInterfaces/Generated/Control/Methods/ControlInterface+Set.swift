// Made by varlink-generate from org.stepperd.control.varlink; do not edit.

public import Varlink

extension ControlInterface {
  /// Set a value. Exactly one of `value` and `text` must be given; anything else is InvalidParameter. The
  /// value is rounded to the control's precision. Values outside the range are an error unless `clamp` is
  /// true. A text is read as the control's configuration says (`update-policy`, `expressions`): the name of a
  /// choice, `on` or `off`, a decimal number, perhaps with the control's unit, an expression, or nothing to
  /// unset it; some policies clamp. It has at most 1024 bytes. With `ifSequence` the change is made only if
  /// the control's sequence is still that one.
  public enum Set: VarlinkMethod {
    /// `org.stepperd.control.Set`.
    public static let name = "org.stepperd.control.Set"

    /// The parameters of ``Set``.
    public struct Parameters: Hashable, Sendable, JSONReadable, JSONWritable {
      /// Stable name, [a-z0-9._-]+, at most 64 bytes.
      public var control: String
      /// The value as a number.
      public var value: Double?
      /// The value as text.
      public var text: String?
      /// Whether a value outside the range is moved to the nearest end of it instead of refused. Absent: it
      /// is refused.
      public var clamp: Bool?
      /// Sequence number that the control must still have. Absent: any.
      public var ifSequence: Int64?
      /// Whether only the errors are answered that setting would have, and nothing is set. Absent: it is set.
      public var check: Bool?
      /// Whether the reply has the description, too. Absent: it does not.
      public var describe: Bool?

      /// Takes every field; one that may be absent is absent unless it is given.
      public init(
        control: String, value: Double? = nil, text: String? = nil, clamp: Bool? = nil,
        ifSequence: Int64? = nil, check: Bool? = nil, describe: Bool? = nil
      ) {
        self.control = control
        self.value = value
        self.text = text
        self.clamp = clamp
        self.ifSequence = ifSequence
        self.check = check
        self.describe = describe
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.control = try members.value("control")
        self.value = try members.optional("value")
        self.text = try members.optional("text")
        self.clamp = try members.optional("clamp")
        self.ifSequence = try members.optional("ifSequence")
        self.check = try members.optional("check")
        self.describe = try members.optional("describe")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
        let start = buffer.count
        JSONText.append(",\"control\":", control, to: &buffer)
        try JSONText.append(",\"value\":", value, to: &buffer)
        JSONText.append(",\"text\":", text, to: &buffer)
        JSONText.append(",\"clamp\":", clamp, to: &buffer)
        JSONText.append(",\"ifSequence\":", ifSequence, to: &buffer)
        JSONText.append(",\"check\":", check, to: &buffer)
        JSONText.append(",\"describe\":", describe, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }

    /// The results of ``Set``.
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
