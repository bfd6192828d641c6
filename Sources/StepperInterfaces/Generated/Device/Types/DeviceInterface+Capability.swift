// Made by varlink-generate from org.stepperd.device.varlink; do not edit.

public import Varlink

extension DeviceInterface {
  /// An input of a device.
  public struct Capability: Hashable, Sendable, JSONReadable, JSONWritable {
    /// Name inside the device: the evdev code (`REL_DIAL`), or for a virtual device `plus`, `minus`, `dial`,
    /// `push`, `fader`. `DEVICE:NAME` is what a binding in the configuration says.
    public var name: String
    /// What an input is.
    public var role: Role
    /// Controls that this feeds.
    public var controls: [String]
    /// Name of the evdev type, for example `EV_REL`.
    public var eventType: String
    /// Name of the evdev code, for example `REL_DIAL`.
    public var eventCode: String
    /// Lower end of the range of an axis.
    public var minimum: Int64?
    /// Upper end of the range of an axis.
    public var maximum: Int64?

    /// Takes every field; one that may be absent is absent unless it is given.
    public init(
      name: String, role: Role, controls: [String], eventType: String, eventCode: String,
      minimum: Int64? = nil, maximum: Int64? = nil
    ) {
      self.name = name
      self.role = role
      self.controls = controls
      self.eventType = eventType
      self.eventCode = eventCode
      self.minimum = minimum
      self.maximum = maximum
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.name = try members.value("name")
      self.role = try members.value("role")
      self.controls = try members.value("controls")
      self.eventType = try members.value("eventType")
      self.eventCode = try members.value("eventCode")
      self.minimum = try members.optional("minimum")
      self.maximum = try members.optional("maximum")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
      let start = buffer.count
      JSONText.append(",\"name\":", name, to: &buffer)
      try JSONText.append(",\"role\":", role, to: &buffer)
      try JSONText.append(",\"controls\":", controls, to: &buffer)
      JSONText.append(",\"eventType\":", eventType, to: &buffer)
      JSONText.append(",\"eventCode\":", eventCode, to: &buffer)
      JSONText.append(",\"minimum\":", minimum, to: &buffer)
      JSONText.append(",\"maximum\":", maximum, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }
}
