// Made by varlink-generate from org.stepperd.device.varlink; do not edit.

public import Varlink

extension DeviceInterface {
  /// Follow what devices report, and its effect. Must be called with `more`. Needs administrative permission,
  /// because it shows what is typed on a device.
  ///
  /// The first reply has the devices that match, as many as it has room for, and no frames. Later ones have
  /// frames in their order, devices that were plugged in or have changed, and in `removed` those that are
  /// gone. A device whose frames do not come is among them with the reason as `problem`: the daemon may not
  /// open it, or it is a keyboard and `keyboards` was not asked for. A reader that is too slow loses frames,
  /// the oldest first, and `dropped` says how many since the reply before.
  public enum Monitor: VarlinkMethod {
    /// `org.stepperd.device.Monitor`.
    public static let name = "org.stepperd.device.Monitor"
    /// It is answered with a stream of replies, and only when called with `more`.
    public static let expectsMore = true

    /// The parameters of ``Monitor``.
    public struct Parameters: Hashable, Sendable, JSONReadable, JSONWritable {
      /// Names or shell patterns as in List, also of unused devices. Absent: all.
      public var match: [String]?
      /// Whether devices that no table of the configuration uses are watched, too; the daemon opens them for
      /// as long as the call lasts. Absent: they are not, unless they are named in `match` without a pattern.
      public var unused: Bool?
      /// Whether keyboards, mice and other devices of general purpose are watched, too. Absent: they are not.
      public var keyboards: Bool?

      /// Takes every field; one that may be absent is absent unless it is given.
      public init(match: [String]? = nil, unused: Bool? = nil, keyboards: Bool? = nil) {
        self.match = match
        self.unused = unused
        self.keyboards = keyboards
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.match = try members.optional("match")
        self.unused = try members.optional("unused")
        self.keyboards = try members.optional("keyboards")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
        let start = buffer.count
        try JSONText.append(",\"match\":", match, to: &buffer)
        JSONText.append(",\"unused\":", unused, to: &buffer)
        JSONText.append(",\"keyboards\":", keyboards, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }

    /// The results of ``Monitor``.
    public struct Reply: Hashable, Sendable, JSONReadable, JSONWritable {
      /// Devices that match, or have changed.
      public var devices: [MonitoredDevice]
      /// Names of those that are gone.
      public var removed: [String]
      /// What was reported since the reply before, in its order.
      public var frames: [Frame]
      /// How many frames were lost since the reply before.
      public var dropped: Int64

      /// Takes every field.
      public init(devices: [MonitoredDevice], removed: [String], frames: [Frame], dropped: Int64) {
        self.devices = devices
        self.removed = removed
        self.frames = frames
        self.dropped = dropped
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.devices = try members.value("devices")
        self.removed = try members.value("removed")
        self.frames = try members.value("frames")
        self.dropped = try members.value("dropped")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
        let start = buffer.count
        try JSONText.append(",\"devices\":", devices, to: &buffer)
        try JSONText.append(",\"removed\":", removed, to: &buffer)
        try JSONText.append(",\"frames\":", frames, to: &buffer)
        JSONText.append(",\"dropped\":", dropped, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }
  }
}
