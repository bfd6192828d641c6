// Made by varlink-generate from org.stepperd.control.varlink; do not edit.

public import Varlink

extension ControlInterface {
  /// All controls with description and state. `match` is a shell pattern (* and ?) on the name, of at most
  /// 255 bytes; absent means all. Where the reply would be too long, descriptions are without `choices`,
  /// `choiceTitles`, `choiceTranslations`, `titles`, `subtitles`, `groupTitle` and `groupTitles`; a narrower
  /// `match` has them.
  public enum List: VarlinkMethod {
    /// `org.stepperd.control.List`.
    public static let name = "org.stepperd.control.List"

    /// The parameters of ``List``.
    public struct Parameters: Hashable, Sendable, JSONReadable, JSONWritable {
      /// Shell pattern on the name. Absent: all.
      public var match: String?

      /// Takes every field; one that may be absent is absent unless it is given.
      public init(match: String? = nil) {
        self.match = match
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.match = try members.optional("match")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) {
        let start = buffer.count
        JSONText.append(",\"match\":", match, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }

    /// The results of ``List``.
    public struct Reply: Hashable, Sendable, JSONReadable, JSONWritable {
      /// What sequence numbers can be compared within; opaque.
      public var instance: String
      /// Sequence number of the newest change of all controls.
      public var sequence: Int64
      /// The controls that match.
      public var controls: [Control]

      /// Takes every field.
      public init(instance: String, sequence: Int64, controls: [Control]) {
        self.instance = instance
        self.sequence = sequence
        self.controls = controls
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.instance = try members.value("instance")
        self.sequence = try members.value("sequence")
        self.controls = try members.value("controls")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
        let start = buffer.count
        JSONText.append(",\"instance\":", instance, to: &buffer)
        JSONText.append(",\"sequence\":", sequence, to: &buffer)
        try JSONText.append(",\"controls\":", controls, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }
  }
}
