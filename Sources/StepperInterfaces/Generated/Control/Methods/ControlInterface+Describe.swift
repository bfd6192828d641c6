// Made by varlink-generate from org.stepperd.control.varlink; do not edit.

public import Varlink

extension ControlInterface {
  /// What a screen reader says of a control. `language` is a language tag such as `de` or `pt-BR`, of at most
  /// 64 bytes, and chooses the title.
  public enum Describe: VarlinkMethod {
    /// `org.stepperd.control.Describe`.
    public static let name = "org.stepperd.control.Describe"

    /// The parameters of ``Describe``.
    public struct Parameters: Hashable, Sendable, JSONReadable, JSONWritable {
      /// Stable name, [a-z0-9._-]+, at most 64 bytes.
      public var control: String
      /// Language tag that chooses the title. Absent: the title of the configuration.
      public var language: String?

      /// Takes every field; one that may be absent is absent unless it is given.
      public init(control: String, language: String? = nil) {
        self.control = control
        self.language = language
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.control = try members.value("control")
        self.language = try members.optional("language")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) {
        let start = buffer.count
        JSONText.append(",\"control\":", control, to: &buffer)
        JSONText.append(",\"language\":", language, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }

    /// The results of ``Describe``.
    public struct Reply: Hashable, Sendable, JSONReadable, JSONWritable {
      /// What does not change while the configuration does not change and nobody calls Adjust.
      public var description: Description
      /// The present state of one control.
      public var state: State
      /// A control and its state in the words a screen reader says on the platform that the control's profile
      /// comes from.
      public var accessibility: Accessibility

      /// Takes every field.
      public init(description: Description, state: State, accessibility: Accessibility) {
        self.description = description
        self.state = state
        self.accessibility = accessibility
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.description = try members.value("description")
        self.state = try members.value("state")
        self.accessibility = try members.value("accessibility")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
        let start = buffer.count
        try JSONText.append(",\"description\":", description, to: &buffer)
        try JSONText.append(",\"state\":", state, to: &buffer)
        try JSONText.append(",\"accessibility\":", accessibility, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }
  }
}
