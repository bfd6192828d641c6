// Made by varlink-generate from org.stepperd.manager.varlink; do not edit.

public import Varlink

extension ManagerInterface {
  /// Read the configuration again. If it has errors nothing changes and the error is ConfigurationInvalid;
  /// `problems` holds warnings. Both are shortened as in Check.
  public enum Reload: VarlinkMethod {
    /// `org.stepperd.manager.Reload`.
    public static let name = "org.stepperd.manager.Reload"

    /// ``Reload`` has no parameters.
    public typealias Parameters = NoParameters

    /// The results of ``Reload``.
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
