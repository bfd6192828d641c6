// Made by varlink-generate from org.stepperd.device.varlink; do not edit.

public import Varlink

extension DeviceInterface {
  /// Follow devices coming and going. Must be called with `more`. The first reply holds all of them
  /// (`snapshot`: true), later ones those that changed. A device that went away is `absent`.
  public enum Subscribe: VarlinkMethod {
    /// `org.stepperd.device.Subscribe`.
    public static let name = "org.stepperd.device.Subscribe"
    /// It is answered with a stream of replies, and only when called with `more`.
    public static let expectsMore = true

    /// ``Subscribe`` has no parameters.
    public typealias Parameters = NoParameters

    /// The results of ``Subscribe``.
    public struct Reply: Hashable, Sendable, JSONReadable, JSONWritable {
      /// Whether these are all devices.
      public var snapshot: Bool
      /// The devices.
      public var devices: [Device]

      /// Takes every field.
      public init(snapshot: Bool, devices: [Device]) {
        self.snapshot = snapshot
        self.devices = devices
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.snapshot = try members.value("snapshot")
        self.devices = try members.value("devices")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
        let start = buffer.count
        JSONText.append(",\"snapshot\":", snapshot, to: &buffer)
        try JSONText.append(",\"devices\":", devices, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }
  }
}
