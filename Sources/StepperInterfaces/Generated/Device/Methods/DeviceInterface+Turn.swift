// Made by varlink-generate from org.stepperd.device.varlink; do not edit.

public import Varlink

extension DeviceInterface {
  /// Turn an encoder by `detents`, positive is clockwise, at most what one event of the kernel can say:
  /// -2147483648 to 2147483647.
  public enum Turn: VarlinkMethod {
    /// `org.stepperd.device.Turn`.
    public static let name = "org.stepperd.device.Turn"

    /// The parameters of ``Turn``.
    public struct Parameters: Hashable, Sendable, JSONReadable, JSONWritable {
      /// Stable identity across reconnects: the name of the [device.NAME] table, with `:2`, `:3` … behind it
      /// for further devices that match the same table; the kernel's name (`event5`) for an unused device,
      /// and `PROVIDER-1`, `PROVIDER-2` … for an unused one of a program.
      public var device: String
      /// Name of the input inside the device.
      public var input: String
      /// How far, positive is clockwise.
      public var detents: Int64

      /// Takes every field.
      public init(device: String, input: String, detents: Int64) {
        self.device = device
        self.input = input
        self.detents = detents
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.device = try members.value("device")
        self.input = try members.value("input")
        self.detents = try members.value("detents")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) {
        let start = buffer.count
        JSONText.append(",\"device\":", device, to: &buffer)
        JSONText.append(",\"input\":", input, to: &buffer)
        JSONText.append(",\"detents\":", detents, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }

    /// ``Turn`` has no results.
    public typealias Reply = NoParameters
  }
}
