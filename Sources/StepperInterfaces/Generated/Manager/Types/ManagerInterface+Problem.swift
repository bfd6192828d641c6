// Made by varlink-generate from org.stepperd.manager.varlink; do not edit.

public import Varlink

extension ManagerInterface {
  /// Something wrong with a configuration.
  public struct Problem: Hashable, Sendable, JSONReadable, JSONWritable {
    /// The file it is in.
    public var file: String
    /// Where the problem is, for example `control.volume.maximum`.
    public var keyPath: String
    /// The line, from 1. Absent: unknown.
    public var line: Int64?
    /// The column, from 1. Absent: unknown.
    public var column: Int64?
    /// How much a problem matters: a configuration with an error is not used.
    public var severity: Severity
    /// What is wrong, what was found and what is allowed.
    public var message: String
    /// What was probably meant.
    public var suggestion: String?

    /// Takes every field; one that may be absent is absent unless it is given.
    public init(
      file: String, keyPath: String, line: Int64? = nil, column: Int64? = nil, severity: Severity,
      message: String, suggestion: String? = nil
    ) {
      self.file = file
      self.keyPath = keyPath
      self.line = line
      self.column = column
      self.severity = severity
      self.message = message
      self.suggestion = suggestion
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.file = try members.value("file")
      self.keyPath = try members.value("keyPath")
      self.line = try members.optional("line")
      self.column = try members.optional("column")
      self.severity = try members.value("severity")
      self.message = try members.value("message")
      self.suggestion = try members.optional("suggestion")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
      let start = buffer.count
      JSONText.append(",\"file\":", file, to: &buffer)
      JSONText.append(",\"keyPath\":", keyPath, to: &buffer)
      JSONText.append(",\"line\":", line, to: &buffer)
      JSONText.append(",\"column\":", column, to: &buffer)
      try JSONText.append(",\"severity\":", severity, to: &buffer)
      JSONText.append(",\"message\":", message, to: &buffer)
      JSONText.append(",\"suggestion\":", suggestion, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }
}
