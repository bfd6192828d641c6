// Made by varlink-generate from org.stepperd.manager.varlink; do not edit.

public import Varlink

extension ManagerInterface {
  /// One number about the daemon. New metrics may be added.
  public struct Metric: Hashable, Sendable, JSONReadable, JSONWritable {
    /// What is counted or measured, for example `eventsRead`; numbers of one name differ in `object` or
    /// `quantile`. A unit other than one is part of the name.
    public var name: String
    /// A counter only grows while the daemon runs; a gauge goes up and down.
    public var type: MetricType
    /// What it says, in words.
    public var description: String
    /// Which of several it is about: a device by its name, a hook as `CONTROL HOOK`.
    public var object: String?
    /// Which part of the samples is at most `value`, 0 to 1.
    public var quantile: Double?
    /// The number.
    public var value: Double

    /// Takes every field; one that may be absent is absent unless it is given.
    public init(
      name: String, type: MetricType, description: String, object: String? = nil, quantile: Double? = nil,
      value: Double
    ) {
      self.name = name
      self.type = type
      self.description = description
      self.object = object
      self.quantile = quantile
      self.value = value
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.name = try members.value("name")
      self.type = try members.value("type")
      self.description = try members.value("description")
      self.object = try members.optional("object")
      self.quantile = try members.optional("quantile")
      self.value = try members.value("value")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
      let start = buffer.count
      JSONText.append(",\"name\":", name, to: &buffer)
      try JSONText.append(",\"type\":", type, to: &buffer)
      JSONText.append(",\"description\":", description, to: &buffer)
      JSONText.append(",\"object\":", object, to: &buffer)
      try JSONText.append(",\"quantile\":", quantile, to: &buffer)
      try JSONText.append(",\"value\":", value, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }
}
