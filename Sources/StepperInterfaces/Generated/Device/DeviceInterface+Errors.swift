// Made by varlink-generate from org.stepperd.device.varlink; do not edit.

public import Varlink

extension DeviceInterface {
  /// No device of that name is configured.
  public struct NoSuchDevice: VarlinkError {
    /// `org.stepperd.device.NoSuchDevice`.
    public static let name = "org.stepperd.device.NoSuchDevice"
    /// The name that was asked for.
    public var device: String

    /// Takes every field.
    public init(device: String) {
      self.device = device
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.device = try members.value("device")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) {
      let start = buffer.count
      JSONText.append(",\"device\":", device, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }

  /// The device has no input of that name, or not of the kind the method needs.
  public struct NoSuchInput: VarlinkError {
    /// `org.stepperd.device.NoSuchInput`.
    public static let name = "org.stepperd.device.NoSuchInput"
    /// Stable identity across reconnects: the name of the [device.NAME] table, with `:2`, `:3` … behind it
    /// for further devices that match the same table; the kernel's name (`event5`) for an unused device, and
    /// `PROVIDER-1`, `PROVIDER-2` … for an unused one of a program.
    public var device: String
    /// The name that was asked for.
    public var input: String
    /// The inputs that the device has.
    public var inputs: [String]

    /// Takes every field.
    public init(device: String, input: String, inputs: [String]) {
      self.device = device
      self.input = input
      self.inputs = inputs
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.device = try members.value("device")
      self.input = try members.value("input")
      self.inputs = try members.value("inputs")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
      let start = buffer.count
      JSONText.append(",\"device\":", device, to: &buffer)
      JSONText.append(",\"input\":", input, to: &buffer)
      try JSONText.append(",\"inputs\":", inputs, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }

  /// The device has no output or light of that name, or none at all.
  public struct NoSuchOutput: VarlinkError {
    /// `org.stepperd.device.NoSuchOutput`.
    public static let name = "org.stepperd.device.NoSuchOutput"
    /// Stable identity across reconnects: the name of the [device.NAME] table, with `:2`, `:3` … behind it
    /// for further devices that match the same table; the kernel's name (`event5`) for an unused device, and
    /// `PROVIDER-1`, `PROVIDER-2` … for an unused one of a program.
    public var device: String
    /// The name that was asked for.
    public var output: String
    /// The outputs or lights that the device has.
    public var outputs: [String]

    /// Takes every field.
    public init(device: String, output: String, outputs: [String]) {
      self.device = device
      self.output = output
      self.outputs = outputs
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.device = try members.value("device")
      self.output = try members.value("output")
      self.outputs = try members.value("outputs")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
      let start = buffer.count
      JSONText.append(",\"device\":", device, to: &buffer)
      JSONText.append(",\"output\":", output, to: &buffer)
      try JSONText.append(",\"outputs\":", outputs, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }

  /// Only virtual devices can be moved by a program.
  public struct NotVirtual: VarlinkError {
    /// `org.stepperd.device.NotVirtual`.
    public static let name = "org.stepperd.device.NotVirtual"
    /// Stable identity across reconnects: the name of the [device.NAME] table, with `:2`, `:3` … behind it
    /// for further devices that match the same table; the kernel's name (`event5`) for an unused device, and
    /// `PROVIDER-1`, `PROVIDER-2` … for an unused one of a program.
    public var device: String

    /// Takes every field.
    public init(device: String) {
      self.device = device
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.device = try members.value("device")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) {
      let start = buffer.count
      JSONText.append(",\"device\":", device, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }

  /// This client or all clients together hold too many subscriptions. A daemon that limits connections
  /// instead does not answer this.
  public struct TooManySubscriptions: VarlinkError {
    /// `org.stepperd.device.TooManySubscriptions`.
    public static let name = "org.stepperd.device.TooManySubscriptions"
    /// The most there may be.
    public var limit: Int64

    /// Takes every field.
    public init(limit: Int64) {
      self.limit = limit
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.limit = try members.value("limit")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) {
      let start = buffer.count
      JSONText.append(",\"limit\":", limit, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }

  /// The daemon is stopping or restarting; connect again later.
  public struct Stopping: VarlinkError {
    /// `org.stepperd.device.Stopping`.
    public static let name = "org.stepperd.device.Stopping"

    /// It has no fields.
    public init() {}

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      try JSONMembers(value).end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) {
      let start = buffer.count
      JSONText.endObject(from: start, in: &buffer)
    }
  }
}
