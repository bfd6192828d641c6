// Made by varlink-generate from org.stepperd.control.varlink; do not edit.

public import Varlink

extension ControlInterface {
  /// A control and its state in the words a screen reader says on the platform that the control's profile
  /// comes from. Numbers are in the C locale.
  public struct Accessibility: Hashable, Sendable, JSONReadable, JSONWritable {
    /// What a control is to a screen reader.
    public var role: AccessibilityRole
    /// What it is called: its title in the language asked for, or its name.
    public var label: String
    /// Its value with its unit. Absent: unset.
    public var value: String?
    /// Whether a reader's gestures for increment and decrement apply.
    public var adjustable: Bool
    /// What can be done with it, where the platform says so.
    public var hint: String?
    /// What to say at an end of the range, where the platform says anything.
    public var limit: String?
    /// Whether a change is to be announced by itself.
    public var announcement: Announcement
    /// All of this as one sentence.
    public var speech: String
    /// The control. Absent: an older daemon does not say it.
    public var control: String?
    /// The platform whose phrases these are, so that a program can say them in another language. Absent: an
    /// older daemon does not say it.
    public var style: AccessibilityStyle?

    /// Takes every field; one that may be absent is absent unless it is given.
    public init(
      role: AccessibilityRole, label: String, value: String? = nil, adjustable: Bool, hint: String? = nil,
      limit: String? = nil, announcement: Announcement, speech: String, control: String? = nil,
      style: AccessibilityStyle? = nil
    ) {
      self.role = role
      self.label = label
      self.value = value
      self.adjustable = adjustable
      self.hint = hint
      self.limit = limit
      self.announcement = announcement
      self.speech = speech
      self.control = control
      self.style = style
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.role = try members.value("role")
      self.label = try members.value("label")
      self.value = try members.optional("value")
      self.adjustable = try members.value("adjustable")
      self.hint = try members.optional("hint")
      self.limit = try members.optional("limit")
      self.announcement = try members.value("announcement")
      self.speech = try members.value("speech")
      self.control = try members.optional("control")
      self.style = try members.optional("style")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
      let start = buffer.count
      try JSONText.append(",\"role\":", role, to: &buffer)
      JSONText.append(",\"label\":", label, to: &buffer)
      JSONText.append(",\"value\":", value, to: &buffer)
      JSONText.append(",\"adjustable\":", adjustable, to: &buffer)
      JSONText.append(",\"hint\":", hint, to: &buffer)
      JSONText.append(",\"limit\":", limit, to: &buffer)
      try JSONText.append(",\"announcement\":", announcement, to: &buffer)
      JSONText.append(",\"speech\":", speech, to: &buffer)
      JSONText.append(",\"control\":", control, to: &buffer)
      try JSONText.append(",\"style\":", style, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }
}
