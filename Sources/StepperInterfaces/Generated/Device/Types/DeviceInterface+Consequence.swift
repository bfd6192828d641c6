// Made by varlink-generate from org.stepperd.device.varlink; do not edit.

public import Varlink

extension DeviceInterface {
  /// What became of an event of a frame at one control that it is bound to.
  public struct Consequence: Hashable, Sendable, JSONReadable, JSONWritable {
    /// Name of the event's code, as in InputEvent.
    public var code: String
    /// A control that the input is bound to.
    public var control: String
    /// What became of the event.
    public var outcome: Outcome
    /// The value before the frame as text. Absent: unset.
    public var before: String?
    /// The value after the frame as text. Absent: unset.
    public var after: String?
    /// The detents that the turn of an encoder completes, clockwise positive. Absent: it is no turn.
    public var detents: Int64?

    /// Takes every field; one that may be absent is absent unless it is given.
    public init(
      code: String, control: String, outcome: Outcome, before: String? = nil, after: String? = nil,
      detents: Int64? = nil
    ) {
      self.code = code
      self.control = control
      self.outcome = outcome
      self.before = before
      self.after = after
      self.detents = detents
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.code = try members.value("code")
      self.control = try members.value("control")
      self.outcome = try members.value("outcome")
      self.before = try members.optional("before")
      self.after = try members.optional("after")
      self.detents = try members.optional("detents")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
      let start = buffer.count
      JSONText.append(",\"code\":", code, to: &buffer)
      JSONText.append(",\"control\":", control, to: &buffer)
      try JSONText.append(",\"outcome\":", outcome, to: &buffer)
      JSONText.append(",\"before\":", before, to: &buffer)
      JSONText.append(",\"after\":", after, to: &buffer)
      JSONText.append(",\"detents\":", detents, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }
}
