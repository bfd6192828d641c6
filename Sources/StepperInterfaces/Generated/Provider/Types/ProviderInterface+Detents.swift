// Made by varlink-generate from org.stepperd.provider.varlink; do not edit.

public import Varlink

extension ProviderInterface {
  /// The detents and ends that a knob is to make, until the next ones. They are numbered from the lower end
  /// of the control's range, or from 0 where it has none, and a detent is a step of the control.
  public struct Detents: Hashable, Sendable, JSONReadable, JSONWritable {
    /// Name of the output that makes them.
    public var output: String
    /// Name of the axis' code.
    public var axis: String
    /// The detent at which the knob stands now, clockwise positive.
    public var position: Int64
    /// The last detent counterclockwise. Absent: there is no end.
    public var minimum: Int64?
    /// The last detent clockwise. Absent: there is no end.
    public var maximum: Int64?
    /// Whether a step past one end leads to the other: the ends are not to be felt.
    public var wraps: Bool
    /// 0 to 1: how firm detents and ends are, `strength` of the device's table.
    public var strength: Double

    /// Takes every field; one that may be absent is absent unless it is given.
    public init(
      output: String, axis: String, position: Int64, minimum: Int64? = nil, maximum: Int64? = nil,
      wraps: Bool, strength: Double
    ) {
      self.output = output
      self.axis = axis
      self.position = position
      self.minimum = minimum
      self.maximum = maximum
      self.wraps = wraps
      self.strength = strength
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.output = try members.value("output")
      self.axis = try members.value("axis")
      self.position = try members.value("position")
      self.minimum = try members.optional("minimum")
      self.maximum = try members.optional("maximum")
      self.wraps = try members.value("wraps")
      self.strength = try members.value("strength")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
      let start = buffer.count
      JSONText.append(",\"output\":", output, to: &buffer)
      JSONText.append(",\"axis\":", axis, to: &buffer)
      JSONText.append(",\"position\":", position, to: &buffer)
      JSONText.append(",\"minimum\":", minimum, to: &buffer)
      JSONText.append(",\"maximum\":", maximum, to: &buffer)
      JSONText.append(",\"wraps\":", wraps, to: &buffer)
      try JSONText.append(",\"strength\":", strength, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }
}
