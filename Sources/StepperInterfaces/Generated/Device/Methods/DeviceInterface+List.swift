// Made by varlink-generate from org.stepperd.device.varlink; do not edit.

public import Varlink

extension DeviceInterface {
  /// All devices, the used ones first.
  public enum List: VarlinkMethod {
    /// `org.stepperd.device.List`.
    public static let name = "org.stepperd.device.List"

    /// ``List`` has no parameters.
    public typealias Parameters = NoParameters

    /// The results of ``List``.
    public struct Reply: Hashable, Sendable, JSONReadable, JSONWritable {
      /// The devices.
      public var devices: [Device]

      /// Takes every field.
      public init(devices: [Device]) {
        self.devices = devices
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.devices = try members.value("devices")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
        let start = buffer.count
        try JSONText.append(",\"devices\":", devices, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }
  }
}
