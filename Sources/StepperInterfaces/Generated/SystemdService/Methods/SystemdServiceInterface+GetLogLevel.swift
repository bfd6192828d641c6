// Made by varlink-generate from io.systemd.service.varlink; do not edit.

public import Varlink

extension SystemdServiceInterface {
  /// The least severity that is logged.
  public enum GetLogLevel: VarlinkMethod {
    /// `io.systemd.service.GetLogLevel`.
    public static let name = "io.systemd.service.GetLogLevel"

    /// ``GetLogLevel`` has no parameters.
    public typealias Parameters = NoParameters

    /// The results of ``GetLogLevel``.
    public struct Reply: Hashable, Sendable, JSONReadable, JSONWritable {
      /// As for SetLogLevel.
      public var level: Int64

      /// Takes every field.
      public init(level: Int64) {
        self.level = level
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.level = try members.value("level")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) {
        let start = buffer.count
        JSONText.append(",\"level\":", level, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }
  }
}
