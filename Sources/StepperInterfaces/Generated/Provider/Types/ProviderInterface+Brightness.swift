// Made by varlink-generate from org.stepperd.provider.varlink; do not edit.

public import Varlink

extension ProviderInterface {
  /// A brightness to show until the next one.
  public struct Brightness: Hashable, Sendable, JSONReadable, JSONWritable {
    /// Name of the light.
    public var output: String
    /// 0 to 1.
    public var brightness: Double

    /// Takes every field.
    public init(output: String, brightness: Double) {
      self.output = output
      self.brightness = brightness
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.output = try members.value("output")
      self.brightness = try members.value("brightness")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
      let start = buffer.count
      JSONText.append(",\"output\":", output, to: &buffer)
      try JSONText.append(",\"brightness\":", brightness, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }
}
