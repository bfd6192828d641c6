// Made by varlink-generate from org.stepperd.provider.varlink; do not edit.

public import Varlink

extension ProviderInterface {
  /// Detach a device from the connection that has attached it, as if it were unplugged: what it holds is
  /// released.
  public enum Detach: VarlinkMethod {
    /// `org.stepperd.provider.Detach`.
    public static let name = "org.stepperd.provider.Detach"

    /// The parameters of ``Detach``.
    public struct Parameters: Hashable, Sendable, JSONReadable, JSONWritable {
      /// As Attach has returned it.
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

    /// ``Detach`` has no results.
    public typealias Reply = NoParameters
  }
}
