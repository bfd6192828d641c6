// Made by varlink-generate from org.stepperd.control.varlink; do not edit.

public import Varlink

extension ControlInterface {
  /// How a client writes the value for people, with the marks of its own locale.
  public struct NumberFormat: Hashable, Sendable, JSONReadable, JSONWritable {
    /// percent: 0.13 is written 13 %.
    public var style: NumberStyle
    /// ISO 4217 code of style currency, for example `EUR`.
    public var currency: String?
    /// Most digits that are shown in all. Absent: `digits` of the description.
    public var significantDigits: Int64?
    /// Whether thousands are grouped.
    public var grouping: Bool

    /// Takes every field; one that may be absent is absent unless it is given.
    public init(style: NumberStyle, currency: String? = nil, significantDigits: Int64? = nil, grouping: Bool)
    {
      self.style = style
      self.currency = currency
      self.significantDigits = significantDigits
      self.grouping = grouping
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.style = try members.value("style")
      self.currency = try members.optional("currency")
      self.significantDigits = try members.optional("significantDigits")
      self.grouping = try members.value("grouping")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
      let start = buffer.count
      try JSONText.append(",\"style\":", style, to: &buffer)
      JSONText.append(",\"currency\":", currency, to: &buffer)
      JSONText.append(",\"significantDigits\":", significantDigits, to: &buffer)
      JSONText.append(",\"grouping\":", grouping, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }
}
