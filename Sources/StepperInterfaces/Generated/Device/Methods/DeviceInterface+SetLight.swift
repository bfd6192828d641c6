// Made by varlink-generate from org.stepperd.device.varlink; do not edit.

public import Varlink

extension DeviceInterface {
  /// Show a brightness, 0 to 1, until this connection sets another one or closes. Of several connections the
  /// last one that set it has the light; when it closes, the one before has it again. Without any the light
  /// follows its control again, or goes out.
  public enum SetLight: VarlinkMethod {
    /// `org.stepperd.device.SetLight`.
    public static let name = "org.stepperd.device.SetLight"

    /// The parameters of ``SetLight``.
    public struct Parameters: Hashable, Sendable, JSONReadable, JSONWritable {
      /// Stable identity across reconnects: the name of the [device.NAME] table, with `:2`, `:3` … behind it
      /// for further devices that match the same table; the kernel's name (`event5`) for an unused device,
      /// and `PROVIDER-1`, `PROVIDER-2` … for an unused one of a program.
      public var device: String
      /// One of the device's lights.
      public var light: String
      /// 0 to 1.
      public var brightness: Double

      /// Takes every field.
      public init(device: String, light: String, brightness: Double) {
        self.device = device
        self.light = light
        self.brightness = brightness
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.device = try members.value("device")
        self.light = try members.value("light")
        self.brightness = try members.value("brightness")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
        let start = buffer.count
        JSONText.append(",\"device\":", device, to: &buffer)
        JSONText.append(",\"light\":", light, to: &buffer)
        try JSONText.append(",\"brightness\":", brightness, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }

    /// ``SetLight`` has no results.
    public typealias Reply = NoParameters
  }
}
