// Made by varlink-generate from org.stepperd.device.varlink; do not edit.

public import Varlink

extension DeviceInterface {
  /// Play an effect now. Without `output` the best one is taken. `played` is the output that it was played
  /// on; absent: none, because another effect was being played there. The effect is over by itself within 0.6
  /// seconds, also when this connection closes before.
  public enum PlayEffect: VarlinkMethod {
    /// `org.stepperd.device.PlayEffect`.
    public static let name = "org.stepperd.device.PlayEffect"

    /// The parameters of ``PlayEffect``.
    public struct Parameters: Hashable, Sendable, JSONReadable, JSONWritable {
      /// Stable identity across reconnects: the name of the [device.NAME] table, with `:2`, `:3` … behind it
      /// for further devices that match the same table; the kernel's name (`event5`) for an unused device,
      /// and `PROVIDER-1`, `PROVIDER-2` … for an unused one of a program.
      public var device: String
      /// What something feels like, in the words of UIKit's feedback generators.
      public var effect: Effect
      /// One of the device's outputs. Absent: the best one.
      public var output: String?

      /// Takes every field; one that may be absent is absent unless it is given.
      public init(device: String, effect: Effect, output: String? = nil) {
        self.device = device
        self.effect = effect
        self.output = output
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.device = try members.value("device")
        self.effect = try members.value("effect")
        self.output = try members.optional("output")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
        let start = buffer.count
        JSONText.append(",\"device\":", device, to: &buffer)
        try JSONText.append(",\"effect\":", effect, to: &buffer)
        JSONText.append(",\"output\":", output, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }

    /// The results of ``PlayEffect``.
    public struct Reply: Hashable, Sendable, JSONReadable, JSONWritable {
      /// The output that plays it. Absent: none.
      public var played: String?

      /// Takes every field; one that may be absent is absent unless it is given.
      public init(played: String? = nil) {
        self.played = played
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.played = try members.optional("played")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) {
        let start = buffer.count
        JSONText.append(",\"played\":", played, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }
  }
}
