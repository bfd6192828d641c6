// Made by varlink-generate from org.stepperd.device.varlink; do not edit.

public import Varlink

extension DeviceInterface {
  /// Move an axis to `position`, 0 to 1 of its travel.
  public enum Move: VarlinkMethod {
    /// `org.stepperd.device.Move`.
    public static let name = "org.stepperd.device.Move"

    /// The parameters of ``Move``.
    public struct Parameters: Hashable, Sendable, JSONReadable, JSONWritable {
      /// Stable identity across reconnects: the name of the [device.NAME] table, with `:2`, `:3` … behind it
      /// for further devices that match the same table; the kernel's name (`event5`) for an unused device,
      /// and `PROVIDER-1`, `PROVIDER-2` … for an unused one of a program.
      public var device: String
      /// Name of the input inside the device.
      public var input: String
      /// Where to, 0 to 1 of its travel.
      public var position: Double

      /// Takes every field.
      public init(device: String, input: String, position: Double) {
        self.device = device
        self.input = input
        self.position = position
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.device = try members.value("device")
        self.input = try members.value("input")
        self.position = try members.value("position")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
        let start = buffer.count
        JSONText.append(",\"device\":", device, to: &buffer)
        JSONText.append(",\"input\":", input, to: &buffer)
        try JSONText.append(",\"position\":", position, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }

    /// ``Move`` has no results.
    public typealias Reply = NoParameters
  }
}
