// Made by varlink-generate from org.stepperd.device.varlink; do not edit.

public import Varlink

extension DeviceInterface {
  /// Short press, released after `milliseconds` (default 40, at most 60000). The reply comes at once.
  public enum Click: VarlinkMethod {
    /// `org.stepperd.device.Click`.
    public static let name = "org.stepperd.device.Click"

    /// The parameters of ``Click``.
    public struct Parameters: Hashable, Sendable, JSONReadable, JSONWritable {
      /// Stable identity across reconnects: the name of the [device.NAME] table, with `:2`, `:3` … behind it
      /// for further devices that match the same table; the kernel's name (`event5`) for an unused device,
      /// and `PROVIDER-1`, `PROVIDER-2` … for an unused one of a program.
      public var device: String
      /// Name of the input inside the device.
      public var input: String
      /// How long it is pressed. Absent: 40.
      public var milliseconds: Int64?

      /// Takes every field; one that may be absent is absent unless it is given.
      public init(device: String, input: String, milliseconds: Int64? = nil) {
        self.device = device
        self.input = input
        self.milliseconds = milliseconds
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.device = try members.value("device")
        self.input = try members.value("input")
        self.milliseconds = try members.optional("milliseconds")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) {
        let start = buffer.count
        JSONText.append(",\"device\":", device, to: &buffer)
        JSONText.append(",\"input\":", input, to: &buffer)
        JSONText.append(",\"milliseconds\":", milliseconds, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }

    /// ``Click`` has no results.
    public typealias Reply = NoParameters
  }
}
