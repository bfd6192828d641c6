// Made by varlink-generate from org.stepperd.control.varlink; do not edit.

public import Varlink

extension ControlInterface {
  /// Follow moments, to draw or sound what is felt. Must be called with `more`. Unlike Subscribe this is a
  /// stream of events: they come in their order, a reader that is too slow loses some, and `dropped` says how
  /// many since the reply before. The first reply is empty and comes at once. `match` is as in Subscribe.
  public enum SubscribeMoments: VarlinkMethod {
    /// `org.stepperd.control.SubscribeMoments`.
    public static let name = "org.stepperd.control.SubscribeMoments"
    /// It is answered with a stream of replies, and only when called with `more`.
    public static let expectsMore = true

    /// The parameters of ``SubscribeMoments``.
    public struct Parameters: Hashable, Sendable, JSONReadable, JSONWritable {
      /// Names or shell patterns. Absent: all.
      public var match: [String]?

      /// Takes every field; one that may be absent is absent unless it is given.
      public init(match: [String]? = nil) {
        self.match = match
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.match = try members.optional("match")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
        let start = buffer.count
        try JSONText.append(",\"match\":", match, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }

    /// The results of ``SubscribeMoments``.
    public struct Reply: Hashable, Sendable, JSONReadable, JSONWritable {
      /// What happened since the reply before, in its order.
      public var moments: [MomentEvent]
      /// How many were lost since the reply before.
      public var dropped: Int64

      /// Takes every field.
      public init(moments: [MomentEvent], dropped: Int64) {
        self.moments = moments
        self.dropped = dropped
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.moments = try members.value("moments")
        self.dropped = try members.value("dropped")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
        let start = buffer.count
        try JSONText.append(",\"moments\":", moments, to: &buffer)
        JSONText.append(",\"dropped\":", dropped, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }
  }
}
