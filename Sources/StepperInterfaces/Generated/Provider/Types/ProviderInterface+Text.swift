// Made by varlink-generate from org.stepperd.provider.varlink; do not edit.

public import Varlink

extension ProviderInterface {
  /// A control to show, until the next one.
  public struct Text: Hashable, Sendable, JSONReadable, JSONWritable {
    /// Name of the output that shows it.
    public var output: String
    /// Name of the control that the input drives at present. Absent: none.
    public var control: String?
    /// Title of the control, or its name where it has none; empty without a control.
    public var title: String
    /// Its value, as `text` of org.stepperd.control. Absent: unset.
    public var value: String?
    /// Its unit. Absent: it has none.
    public var unit: String?
    /// Whether the value is at an end of its range.
    public var limit: Limit

    /// Takes every field; one that may be absent is absent unless it is given.
    public init(
      output: String, control: String? = nil, title: String, value: String? = nil, unit: String? = nil,
      limit: Limit
    ) {
      self.output = output
      self.control = control
      self.title = title
      self.value = value
      self.unit = unit
      self.limit = limit
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.output = try members.value("output")
      self.control = try members.optional("control")
      self.title = try members.value("title")
      self.value = try members.optional("value")
      self.unit = try members.optional("unit")
      self.limit = try members.value("limit")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
      let start = buffer.count
      JSONText.append(",\"output\":", output, to: &buffer)
      JSONText.append(",\"control\":", control, to: &buffer)
      JSONText.append(",\"title\":", title, to: &buffer)
      JSONText.append(",\"value\":", value, to: &buffer)
      JSONText.append(",\"unit\":", unit, to: &buffer)
      try JSONText.append(",\"limit\":", limit, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }
}
