// Made by varlink-generate from org.stepperd.provider.varlink; do not edit.

public import Varlink

extension ProviderInterface {
  /// The declaration of a device is wrong; nothing was attached.
  public struct InvalidDevice: VarlinkError {
    /// `org.stepperd.provider.InvalidDevice`.
    public static let name = "org.stepperd.provider.InvalidDevice"
    /// Where, for example `absolute[1].minimum`.
    public var field: String
    /// What is wrong, and what is allowed.
    public var message: String

    /// Takes every field.
    public init(field: String, message: String) {
      self.field = field
      self.message = message
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.field = try members.value("field")
      self.message = try members.value("message")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) {
      let start = buffer.count
      JSONText.append(",\"field\":", field, to: &buffer)
      JSONText.append(",\"message\":", message, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }

  /// Such a device is attached already.
  public struct DeviceInUse: VarlinkError {
    /// `org.stepperd.provider.DeviceInUse`.
    public static let name = "org.stepperd.provider.DeviceInUse"
    /// Its name, as in org.stepperd.device.
    public var device: String
    /// Process that has attached it.
    public var process: Int64

    /// Takes every field.
    public init(device: String, process: Int64) {
      self.device = device
      self.process = process
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.device = try members.value("device")
      self.process = try members.value("process")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) {
      let start = buffer.count
      JSONText.append(",\"device\":", device, to: &buffer)
      JSONText.append(",\"process\":", process, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }

  /// More devices cannot be attached: detach others.
  public struct TooManyDevices: VarlinkError {
    /// `org.stepperd.provider.TooManyDevices`.
    public static let name = "org.stepperd.provider.TooManyDevices"
    /// The most there may be, of one user or of all.
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

  /// This connection has attached no device with that handle, or it is detached; for Subscribe: this user has
  /// not.
  public struct NoSuchHandle: VarlinkError {
    /// `org.stepperd.provider.NoSuchHandle`.
    public static let name = "org.stepperd.provider.NoSuchHandle"
    /// The handle that was given.
    public var handle: String

    /// Takes every field.
    public init(handle: String) {
      self.handle = handle
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.handle = try members.value("handle")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) {
      let start = buffer.count
      JSONText.append(",\"handle\":", handle, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }

  /// Something of a report is wrong; nothing of it was applied.
  public struct InvalidReport: VarlinkError {
    /// `org.stepperd.provider.InvalidReport`.
    public static let name = "org.stepperd.provider.InvalidReport"
    /// Where, for example `frames[0].events[2].code`.
    public var field: String
    /// What is wrong, and what is allowed.
    public var message: String

    /// Takes every field.
    public init(field: String, message: String) {
      self.field = field
      self.message = message
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.field = try members.value("field")
      self.message = try members.value("message")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) {
      let start = buffer.count
      JSONText.append(",\"field\":", field, to: &buffer)
      JSONText.append(",\"message\":", message, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }

  /// The daemon is stopping or restarting; connect and attach again later.
  public struct Stopping: VarlinkError {
    /// `org.stepperd.provider.Stopping`.
    public static let name = "org.stepperd.provider.Stopping"

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
