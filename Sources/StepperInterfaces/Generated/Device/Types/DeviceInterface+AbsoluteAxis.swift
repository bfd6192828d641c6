// Made by varlink-generate from org.stepperd.device.varlink; do not edit.

public import Varlink

extension DeviceInterface {
  /// An absolute axis as the driver reports it, in its own counts.
  public struct AbsoluteAxis: Hashable, Sendable, JSONReadable, JSONWritable {
    /// Name of the code: `ABS_X`.
    public var code: String
    /// Lower end of its travel.
    public var minimum: Int64
    /// Upper end of its travel.
    public var maximum: Int64
    /// Changes of less than this are noise, which the kernel filters out.
    public var fuzz: Int64
    /// Positions within this distance from the centre are the centre.
    public var flat: Int64
    /// Counts per millimetre, or per radian; 0: unknown.
    public var resolution: Int64
    /// Where it stands.
    public var value: Int64

    /// Takes every field.
    public init(
      code: String, minimum: Int64, maximum: Int64, fuzz: Int64, flat: Int64, resolution: Int64, value: Int64
    ) {
      self.code = code
      self.minimum = minimum
      self.maximum = maximum
      self.fuzz = fuzz
      self.flat = flat
      self.resolution = resolution
      self.value = value
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.code = try members.value("code")
      self.minimum = try members.value("minimum")
      self.maximum = try members.value("maximum")
      self.fuzz = try members.value("fuzz")
      self.flat = try members.value("flat")
      self.resolution = try members.value("resolution")
      self.value = try members.value("value")
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
      JSONText.append(",\"resolution\":", resolution, to: &buffer)
      JSONText.append(",\"value\":", value, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }
}
