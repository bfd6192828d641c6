// Made by varlink-generate from org.stepperd.provider.varlink; do not edit.

public import Varlink

extension ProviderInterface {
  /// An axis that reports where it is: a fader.
  public struct AbsoluteAxis: Hashable, Sendable, JSONReadable, JSONWritable {
    /// Name of the kernel's code: `ABS_VOLUME`.
    public var code: String
    /// Lower end of its travel, in counts.
    public var minimum: Int64
    /// Upper end of its travel, above `minimum`.
    public var maximum: Int64
    /// Changes of less than this are noise, which is filtered out. Absent: 0.
    public var fuzz: Int64?
    /// Positions within this distance from the centre are the centre. Absent: 0.
    public var flat: Int64?
    /// Where it is now. Absent: unknown until it is reported.
    public var value: Int64?
    /// The key that is down while a hand is on it, one of `keys`. Absent: it cannot tell.
    public var touch: String?

    /// Takes every field; one that may be absent is absent unless it is given.
    public init(
      code: String, minimum: Int64, maximum: Int64, fuzz: Int64? = nil, flat: Int64? = nil,
      value: Int64? = nil, touch: String? = nil
    ) {
      self.code = code
      self.minimum = minimum
      self.maximum = maximum
      self.fuzz = fuzz
      self.flat = flat
      self.value = value
      self.touch = touch
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.code = try members.value("code")
      self.minimum = try members.value("minimum")
      self.maximum = try members.value("maximum")
      self.fuzz = try members.optional("fuzz")
      self.flat = try members.optional("flat")
      self.value = try members.optional("value")
      self.touch = try members.optional("touch")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) {
      let start = buffer.count
      JSONText.append(",\"code\":", code, to: &buffer)
      JSONText.append(",\"minimum\":", minimum, to: &buffer)
      JSONText.append(",\"maximum\":", maximum, to: &buffer)
      JSONText.append(",\"fuzz\":", fuzz, to: &buffer)
      JSONText.append(",\"flat\":", flat, to: &buffer)
      JSONText.append(",\"value\":", value, to: &buffer)
      JSONText.append(",\"touch\":", touch, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }
}
