// Made by varlink-generate from org.varlink.service.varlink; do not edit.

extension ServiceInterface {
  /// Get the description of an interface that is implemented by this service.
  public enum GetInterfaceDescription: VarlinkMethod {
    /// `org.varlink.service.GetInterfaceDescription`.
    public static let name = "org.varlink.service.GetInterfaceDescription"

    /// The parameters of ``GetInterfaceDescription``.
    public struct Parameters: Hashable, Sendable, JSONReadable, JSONWritable {
      /// Name of the interface.
      public var interface: String

      /// Takes every field.
      public init(interface: String) {
        self.interface = interface
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.interface = try members.value("interface")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) {
        let start = buffer.count
        JSONText.append(",\"interface\":", interface, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }

    /// The results of ``GetInterfaceDescription``.
    public struct Reply: Hashable, Sendable, JSONReadable, JSONWritable {
      /// Text in the interface description language.
      public var description: String

      /// Takes every field.
      public init(description: String) {
        self.description = description
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.description = try members.value("description")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) {
        let start = buffer.count
        JSONText.append(",\"description\":", description, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }
  }
}
