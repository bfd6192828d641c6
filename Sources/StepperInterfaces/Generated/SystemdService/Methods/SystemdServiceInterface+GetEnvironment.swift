// Made by varlink-generate from io.systemd.service.varlink; do not edit.

public import Varlink

extension SystemdServiceInterface {
  /// The environment of the service: its folders, what it reads and what it passes to commands. Other
  /// variables are left out, because they may hold secrets. Needs administrative permission.
  public enum GetEnvironment: VarlinkMethod {
    /// `io.systemd.service.GetEnvironment`.
    public static let name = "io.systemd.service.GetEnvironment"

    /// ``GetEnvironment`` has no parameters.
    public typealias Parameters = NoParameters

    /// The results of ``GetEnvironment``.
    public struct Reply: Hashable, Sendable, JSONReadable, JSONWritable {
      /// For example `LANG=de_DE.UTF-8`.
      public var environment: [String]?

      /// Takes every field; one that may be absent is absent unless it is given.
      public init(environment: [String]? = nil) {
        self.environment = environment
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.environment = try members.optional("environment")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
        let start = buffer.count
        try JSONText.append(",\"environment\":", environment, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }
  }
}
