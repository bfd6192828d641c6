// Made by varlink-generate from org.stepperd.provider.varlink; do not edit.

public import Varlink

extension ProviderInterface {
  /// An effect to play now.
  public struct PlayedEffect: Hashable, Sendable, JSONReadable, JSONWritable {
    /// Name of the output that plays it.
    public var output: String
    /// What to play.
    public var effect: Effect
    /// 0 to 1.
    public var strength: Double

    /// Takes every field.
    public init(output: String, effect: Effect, strength: Double) {
      self.output = output
      self.effect = effect
      self.strength = strength
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.output = try members.value("output")
      self.effect = try members.value("effect")
      self.strength = try members.value("strength")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
      let start = buffer.count
      JSONText.append(",\"output\":", output, to: &buffer)
      try JSONText.append(",\"effect\":", effect, to: &buffer)
      try JSONText.append(",\"strength\":", strength, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }
}
