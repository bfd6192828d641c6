// Made by varlink-generate from org.stepperd.manager.varlink; do not edit.

public import Varlink

extension ManagerInterface {
  /// The configuration has errors; the daemon goes on with the one it had.
  public struct ConfigurationInvalid: VarlinkError {
    /// `org.stepperd.manager.ConfigurationInvalid`.
    public static let name = "org.stepperd.manager.ConfigurationInvalid"
    /// What is wrong.
    public var problems: [Problem]

    /// Takes every field.
    public init(problems: [Problem]) {
      self.problems = problems
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.problems = try members.value("problems")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
      let start = buffer.count
      try JSONText.append(",\"problems\":", problems, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }

  /// The values could not be written.
  public struct SaveFailed: VarlinkError {
    /// `org.stepperd.manager.SaveFailed`.
    public static let name = "org.stepperd.manager.SaveFailed"
    /// The file.
    public var path: String
    /// Why it could not be written.
    public var message: String

    /// Takes every field.
    public init(path: String, message: String) {
      self.path = path
      self.message = message
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.path = try members.value("path")
      self.message = try members.value("message")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) {
      let start = buffer.count
      JSONText.append(",\"path\":", path, to: &buffer)
      JSONText.append(",\"message\":", message, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }

  /// There is no room for another connection of this user. It is the answer to whatever was called, or would
  /// have been, and the connection is closed with it.
  public struct TooManyConnections: VarlinkError {
    /// `org.stepperd.manager.TooManyConnections`.
    public static let name = "org.stepperd.manager.TooManyConnections"
    /// How many connections this user has open.
    public var open: Int64

    /// Takes every field.
    public init(open: Int64) {
      self.open = open
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.open = try members.value("open")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) {
      let start = buffer.count
      JSONText.append(",\"open\":", open, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }
}
