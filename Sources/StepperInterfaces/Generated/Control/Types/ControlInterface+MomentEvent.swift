// Made by varlink-generate from org.stepperd.control.varlink; do not edit.

public import Varlink

extension ControlInterface {
  /// A moment that happened.
  public struct MomentEvent: Hashable, Sendable, JSONReadable, JSONWritable {
    /// Stable name, [a-z0-9._-]+, at most 64 bytes.
    public var control: String
    /// A moment of a control that can be felt.
    public var moment: Moment
    /// What the control's rules say it feels like.
    public var effect: FeedbackEffect
    /// The value after it. Absent: unset.
    public var value: Double?
    /// The value after it as text. Absent: unset.
    public var text: String?
    /// What to say of it: label, value, and the end of the range it stands at.
    public var speech: String
    /// The device that brought it about. Absent: a client, or time alone.
    public var device: String?
    /// CLOCK_MONOTONIC time of it in microseconds.
    public var monotonicMicroseconds: Int64
    /// Name of the hold of Press or Slide that brought it about. Absent: none did.
    public var hold: String?

    /// Takes every field; one that may be absent is absent unless it is given.
    public init(
      control: String, moment: Moment, effect: FeedbackEffect, value: Double? = nil, text: String? = nil,
      speech: String, device: String? = nil, monotonicMicroseconds: Int64, hold: String? = nil
    ) {
      self.control = control
      self.moment = moment
      self.effect = effect
      self.value = value
      self.text = text
      self.speech = speech
      self.device = device
      self.monotonicMicroseconds = monotonicMicroseconds
      self.hold = hold
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.control = try members.value("control")
      self.moment = try members.value("moment")
      self.effect = try members.value("effect")
      self.value = try members.optional("value")
      self.text = try members.optional("text")
      self.speech = try members.value("speech")
      self.device = try members.optional("device")
      self.monotonicMicroseconds = try members.value("monotonicMicroseconds")
      self.hold = try members.optional("hold")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
      let start = buffer.count
      JSONText.append(",\"control\":", control, to: &buffer)
      try JSONText.append(",\"moment\":", moment, to: &buffer)
      try JSONText.append(",\"effect\":", effect, to: &buffer)
      try JSONText.append(",\"value\":", value, to: &buffer)
      JSONText.append(",\"text\":", text, to: &buffer)
      JSONText.append(",\"speech\":", speech, to: &buffer)
      JSONText.append(",\"device\":", device, to: &buffer)
      JSONText.append(",\"monotonicMicroseconds\":", monotonicMicroseconds, to: &buffer)
      JSONText.append(",\"hold\":", hold, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }
}
