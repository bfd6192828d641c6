// Made by varlink-generate from org.stepperd.provider.varlink; do not edit.

public import Varlink

extension ProviderInterface {
  /// Something for a device to do: one of the fields but `handle` is there. More may be added; providers
  /// should ignore an order of which they know none.
  public struct Order: Hashable, Sendable, JSONReadable, JSONWritable {
    /// The device that it is for.
    public var handle: String
    /// Which table matches the device.
    public var matched: Matched?
    /// For an output of kind effect.
    public var effect: PlayedEffect?
    /// For an output of kind light.
    public var light: Brightness?
    /// For an output of kind position.
    public var position: Position?
    /// For an output of kind detents.
    public var detents: Detents?
    /// For an output of kind text.
    public var text: Text?

    /// Takes every field; one that may be absent is absent unless it is given.
    public init(
      handle: String, matched: Matched? = nil, effect: PlayedEffect? = nil, light: Brightness? = nil,
      position: Position? = nil, detents: Detents? = nil, text: Text? = nil
    ) {
      self.handle = handle
      self.matched = matched
      self.effect = effect
      self.light = light
      self.position = position
      self.detents = detents
      self.text = text
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.handle = try members.value("handle")
      self.matched = try members.optional("matched")
      self.effect = try members.optional("effect")
      self.light = try members.optional("light")
      self.position = try members.optional("position")
      self.detents = try members.optional("detents")
      self.text = try members.optional("text")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
      let start = buffer.count
      JSONText.append(",\"handle\":", handle, to: &buffer)
      try JSONText.append(",\"matched\":", matched, to: &buffer)
      try JSONText.append(",\"effect\":", effect, to: &buffer)
      try JSONText.append(",\"light\":", light, to: &buffer)
      try JSONText.append(",\"position\":", position, to: &buffer)
      try JSONText.append(",\"detents\":", detents, to: &buffer)
      try JSONText.append(",\"text\":", text, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }
}
