// Made by varlink-generate from org.stepperd.device.varlink; do not edit.

public import Varlink

extension DeviceInterface {
  /// Press a button, and hold it until Release or until this connection closes. While this connection holds
  /// it, Press only sets the lease anew.
  public enum Press: VarlinkMethod {
    /// `org.stepperd.device.Press`.
    public static let name = "org.stepperd.device.Press"

    /// The parameters of ``Press``.
    public struct Parameters: Hashable, Sendable, JSONReadable, JSONWritable {
      /// Stable identity across reconnects: the name of the [device.NAME] table, with `:2`, `:3` … behind it
      /// for further devices that match the same table; the kernel's name (`event5`) for an unused device,
      /// and `PROVIDER-1`, `PROVIDER-2` … for an unused one of a program.
      public var device: String
      /// Name of the input inside the device.
      public var input: String
      /// When it is released by itself, in milliseconds from now, 100 to 10000. Absent: when the connection
      /// closes.
      public var leaseMilliseconds: Int64?

      /// Takes every field; one that may be absent is absent unless it is given.
      public init(device: String, input: String, leaseMilliseconds: Int64? = nil) {
        self.device = device
        self.input = input
        self.leaseMilliseconds = leaseMilliseconds
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.device = try members.value("device")
        self.input = try members.value("input")
        self.leaseMilliseconds = try members.optional("leaseMilliseconds")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) {
        let start = buffer.count
        JSONText.append(",\"device\":", device, to: &buffer)
        JSONText.append(",\"input\":", input, to: &buffer)
        JSONText.append(",\"leaseMilliseconds\":", leaseMilliseconds, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }

    /// ``Press`` has no results.
    public typealias Reply = NoParameters
  }
}
