// Made by varlink-generate from io.systemd.Metrics.varlink; do not edit.

public import Varlink

extension MetricsInterface {
  /// All metrics, one reply each. Must be called with `more`.
  public enum List: VarlinkMethod {
    /// `io.systemd.Metrics.List`.
    public static let name = "io.systemd.Metrics.List"
    /// It is answered with a stream of replies, and only when called with `more`.
    public static let expectsMore = true

    /// ``List`` has no parameters.
    public typealias Parameters = NoParameters

    /// The results of ``List``.
    public struct Reply: Hashable, Sendable, JSONReadable, JSONWritable {
      /// For example `org.stepperd.eventsRead`.
      public var name: String
      /// Which of several it is about: a device, a hook.
      public var object: String?
      /// What tells metrics of one name and object apart.
      public var fields: Fields?
      /// The number.
      public var value: Double

      /// Takes every field; one that may be absent is absent unless it is given.
      public init(name: String, object: String? = nil, fields: Fields? = nil, value: Double) {
        self.name = name
        self.object = object
        self.fields = fields
        self.value = value
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.name = try members.value("name")
        self.object = try members.optional("object")
        self.fields = try members.optional("fields")
        self.value = try members.value("value")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
        let start = buffer.count
        JSONText.append(",\"name\":", name, to: &buffer)
        JSONText.append(",\"object\":", object, to: &buffer)
        try JSONText.append(",\"fields\":", fields, to: &buffer)
        try JSONText.append(",\"value\":", value, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }
  }
}
