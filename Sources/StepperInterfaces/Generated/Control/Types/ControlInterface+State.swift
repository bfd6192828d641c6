// Made by varlink-generate from org.stepperd.control.varlink; do not edit.

public import Varlink

extension ControlInterface {
  /// The present state of one control. Every field is a level or a counter, none is an event, so a reader
  /// that skips intermediate states loses no information but the timing.
  public struct State: Hashable, Sendable, JSONReadable, JSONWritable {
    /// Stable name, [a-z0-9._-]+, at most 64 bytes.
    public var control: String
    /// Numeric value: the double nearest the exact decimal, never accumulated. A toggle or button has 0 or 1,
    /// a choice has its index. Absent: unset.
    public var value: Double?
    /// The same value as text in the C locale: decimal with the configured digits, or the choice's name, or
    /// `on` and `off`. Absent: unset.
    public var text: String?
    /// Which end of its range a value stands at.
    public var limit: Limit
    /// Why a value has its present value.
    public var origin: Origin
    /// Whether at least one device feeding this control is connected.
    public var live: Bool
    /// Detents turned since the daemon started, clockwise positive, also those which had no effect at the end
    /// of the range. Only ever a sum: take differences.
    public var turned: Int64
    /// How often its push button was pressed since the daemon started.
    public var presses: Int64
    /// Whether its push button is pressed now.
    public var pressed: Bool
    /// Whether a gesture is in progress: a button is held, a knob is being turned or a fader moved (until it
    /// has rested for 300 ms).
    public var editing: Bool
    /// Whether a press that increments would do anything: false at an end of the range that does not wrap,
    /// and while unset. What a program draws as an enabled button.
    public var canIncrement: Bool
    /// Whether a press that decrements would do anything.
    public var canDecrement: Bool
    /// Sequence number of the last change of this control.
    public var sequence: Int64
    /// CLOCK_MONOTONIC time of that change in microseconds (input event time if the change came from a
    /// device).
    public var monotonicMicroseconds: Int64
    /// Who makes the gesture of `editing`: `device` if an input of a device is part of it, `client` if only
    /// Press, Turn or Slide are. Absent: `editing` is false, or an older daemon does not say it.
    public var editingOrigin: EditingOrigin?

    /// Takes every field; one that may be absent is absent unless it is given.
    public init(
      control: String, value: Double? = nil, text: String? = nil, limit: Limit, origin: Origin, live: Bool,
      turned: Int64, presses: Int64, pressed: Bool, editing: Bool, canIncrement: Bool, canDecrement: Bool,
      sequence: Int64, monotonicMicroseconds: Int64, editingOrigin: EditingOrigin? = nil
    ) {
      self.control = control
      self.value = value
      self.text = text
      self.limit = limit
      self.origin = origin
      self.live = live
      self.turned = turned
      self.presses = presses
      self.pressed = pressed
      self.editing = editing
      self.canIncrement = canIncrement
      self.canDecrement = canDecrement
      self.sequence = sequence
      self.monotonicMicroseconds = monotonicMicroseconds
      self.editingOrigin = editingOrigin
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.control = try members.value("control")
      self.value = try members.optional("value")
      self.text = try members.optional("text")
      self.limit = try members.value("limit")
      self.origin = try members.value("origin")
      self.live = try members.value("live")
      self.turned = try members.value("turned")
      self.presses = try members.value("presses")
      self.pressed = try members.value("pressed")
      self.editing = try members.value("editing")
      self.canIncrement = try members.value("canIncrement")
      self.canDecrement = try members.value("canDecrement")
      self.sequence = try members.value("sequence")
      self.monotonicMicroseconds = try members.value("monotonicMicroseconds")
      self.editingOrigin = try members.optional("editingOrigin")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
      let start = buffer.count
      JSONText.append(",\"control\":", control, to: &buffer)
      try JSONText.append(",\"value\":", value, to: &buffer)
      JSONText.append(",\"text\":", text, to: &buffer)
      try JSONText.append(",\"limit\":", limit, to: &buffer)
      try JSONText.append(",\"origin\":", origin, to: &buffer)
      JSONText.append(",\"live\":", live, to: &buffer)
      JSONText.append(",\"turned\":", turned, to: &buffer)
      JSONText.append(",\"presses\":", presses, to: &buffer)
      JSONText.append(",\"pressed\":", pressed, to: &buffer)
      JSONText.append(",\"editing\":", editing, to: &buffer)
      JSONText.append(",\"canIncrement\":", canIncrement, to: &buffer)
      JSONText.append(",\"canDecrement\":", canDecrement, to: &buffer)
      JSONText.append(",\"sequence\":", sequence, to: &buffer)
      JSONText.append(",\"monotonicMicroseconds\":", monotonicMicroseconds, to: &buffer)
      try JSONText.append(",\"editingOrigin\":", editingOrigin, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }
}
