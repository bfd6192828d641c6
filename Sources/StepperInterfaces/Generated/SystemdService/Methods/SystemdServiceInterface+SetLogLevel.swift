// Made by varlink-generate from io.systemd.service.varlink; do not edit.

public import Varlink

extension SystemdServiceInterface {
  /// Sets the least severity that is logged, until the service ends. Needs administrative permission.
  public enum SetLogLevel: VarlinkMethod {
    /// `io.systemd.service.SetLogLevel`.
    public static let name = "io.systemd.service.SetLogLevel"

    /// The parameters of ``SetLogLevel``.
    public struct Parameters: Hashable, Sendable, JSONReadable, JSONWritable {
      /// As in syslog(3): 7 is debug, 6 info, 5 notice, 4 warning, 3 error; with less nothing is logged.
      /// Null: the level of the command line, else of the configuration.
      public var level: Int64?

      /// Takes every field; one that may be absent is absent unless it is given.
      public init(level: Int64? = nil) {
        self.level = level
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.level = try members.optional("level")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) {
        let start = buffer.count
        JSONText.append(",\"level\":", level, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }

    /// ``SetLogLevel`` has no results.
    public typealias Reply = NoParameters
  }
}
