// Made by varlink-generate from org.stepperd.provider.varlink; do not edit.

public import Varlink

extension ProviderInterface {
  /// What a device can show.
  public struct Output: Hashable, Sendable, JSONReadable, JSONWritable {
    /// Its name: one line of at most 64 bytes. A light is named so in `light` of a control: `DEVICE:NAME`.
    public var name: String
    /// What it can do.
    public var kind: OutputKind
    /// Name of the code of its input: of kind position the axis that it moves, one of `absolute`; of kind
    /// detents the axis whose detents it makes, one of `relative`; of kind text the key or axis whose control
    /// it shows. Absent of other kinds.
    public var axis: String?

    /// Takes every field; one that may be absent is absent unless it is given.
    public init(name: String, kind: OutputKind, axis: String? = nil) {
      self.name = name
      self.kind = kind
      self.axis = axis
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.name = try members.value("name")
      self.kind = try members.value("kind")
      self.axis = try members.optional("axis")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
      let start = buffer.count
      JSONText.append(",\"name\":", name, to: &buffer)
      try JSONText.append(",\"kind\":", kind, to: &buffer)
      JSONText.append(",\"axis\":", axis, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }
}
