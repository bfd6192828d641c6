// Made by varlink-generate from org.stepperd.device.varlink; do not edit.

public import Varlink

extension DeviceInterface {
  /// The events up to a SYN_REPORT.
  public struct Frame: Hashable, Sendable, JSONReadable, JSONWritable {
    /// As in List: the name of the [device.NAME] table, or of the kernel (`event5`).
    public var device: String
    /// CLOCK_MONOTONIC time of it in microseconds.
    public var monotonicMicroseconds: Int64
    /// Whether it is the state of the device after events were lost (SYN_DROPPED).
    public var resynchronized: Bool
    /// Its events, in their order.
    public var events: [InputEvent]
    /// What became of them. An event without an entry is bound to no control.
    public var consequences: [Consequence]

    /// Takes every field.
    public init(
      device: String, monotonicMicroseconds: Int64, resynchronized: Bool, events: [InputEvent],
      consequences: [Consequence]
    ) {
      self.device = device
      self.monotonicMicroseconds = monotonicMicroseconds
      self.resynchronized = resynchronized
      self.events = events
      self.consequences = consequences
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.device = try members.value("device")
      self.monotonicMicroseconds = try members.value("monotonicMicroseconds")
      self.resynchronized = try members.value("resynchronized")
      self.events = try members.value("events")
      self.consequences = try members.value("consequences")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
      let start = buffer.count
      JSONText.append(",\"device\":", device, to: &buffer)
      JSONText.append(",\"monotonicMicroseconds\":", monotonicMicroseconds, to: &buffer)
      JSONText.append(",\"resynchronized\":", resynchronized, to: &buffer)
      try JSONText.append(",\"events\":", events, to: &buffer)
      try JSONText.append(",\"consequences\":", consequences, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }
}
