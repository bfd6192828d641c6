// Made by varlink-generate from org.stepperd.provider.varlink; do not edit.

public import Varlink

extension ProviderInterface {
  /// What a device did at one time.
  public struct Frame: Hashable, Sendable, JSONReadable, JSONWritable {
    /// CLOCK_MONOTONIC time of it in microseconds. A time of the future is now, and one before the device's
    /// last frame is that of that frame. Absent: now.
    public var time: Int64?
    /// At most 64, in their order; most often one.
    public var events: ShortList<Event>

    /// Takes every field; one that may be absent is absent unless it is given.
    public init(time: Int64? = nil, events: ShortList<Event>) {
      self.time = time
      self.events = events
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.time = try members.optional("time")
      self.events = try members.value("events")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
      let start = buffer.count
      JSONText.append(",\"time\":", time, to: &buffer)
      try JSONText.append(",\"events\":", events, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }
}
