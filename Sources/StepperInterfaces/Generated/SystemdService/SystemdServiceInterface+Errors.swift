// Made by varlink-generate from io.systemd.service.varlink; do not edit.

public import Varlink

extension SystemdServiceInterface {
  /// A variable of the environment is not UTF-8.
  public struct InconsistentEnvironment: VarlinkError {
    /// `io.systemd.service.InconsistentEnvironment`.
    public static let name = "io.systemd.service.InconsistentEnvironment"

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
