// Made by varlink-generate from org.stepperd.manager.varlink; do not edit.

public import Varlink

extension ManagerInterface {
  /// Check configuration text without using it. `file`, of at most 1024 bytes, is what the problems call it.
  /// Where the reply would be too long, the last problem says how many more there are; it has no place and no
  /// `keyPath`.
  public enum Check: VarlinkMethod {
    /// `org.stepperd.manager.Check`.
    public static let name = "org.stepperd.manager.Check"

    /// The parameters of ``Check``.
    public struct Parameters: Hashable, Sendable, JSONReadable, JSONWritable {
      /// The configuration to check, in TOML.
      public var text: String
      /// What the problems call it.
      public var file: String?

      /// Takes every field; one that may be absent is absent unless it is given.
      public init(text: String, file: String? = nil) {
        self.text = text
        self.file = file
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.text = try members.value("text")
        self.file = try members.optional("file")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) {
        let start = buffer.count
        JSONText.append(",\"text\":", text, to: &buffer)
        JSONText.append(",\"file\":", file, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }

    /// The results of ``Check``.
    public struct Reply: Hashable, Sendable, JSONReadable, JSONWritable {
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
  }
}
