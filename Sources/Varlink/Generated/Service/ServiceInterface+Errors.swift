// Made by varlink-generate from org.varlink.service.varlink; do not edit.

extension ServiceInterface {
  /// The requested interface was not found.
  public struct InterfaceNotFound: VarlinkError {
    /// `org.varlink.service.InterfaceNotFound`.
    public static let name = "org.varlink.service.InterfaceNotFound"
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

  /// The requested method was not found.
  public struct MethodNotFound: VarlinkError {
    /// `org.varlink.service.MethodNotFound`.
    public static let name = "org.varlink.service.MethodNotFound"
    /// Fully qualified name of the method.
    public var method: String

    /// Takes every field.
    public init(method: String) {
      self.method = method
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.method = try members.value("method")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) {
      let start = buffer.count
      JSONText.append(",\"method\":", method, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }

  /// The interface defines the requested method, but the service does not implement it.
  public struct MethodNotImplemented: VarlinkError {
    /// `org.varlink.service.MethodNotImplemented`.
    public static let name = "org.varlink.service.MethodNotImplemented"
    /// Fully qualified name of the method.
    public var method: String

    /// Takes every field.
    public init(method: String) {
      self.method = method
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.method = try members.value("method")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) {
      let start = buffer.count
      JSONText.append(",\"method\":", method, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }

  /// One of the passed parameters is invalid.
  public struct InvalidParameter: VarlinkError {
    /// `org.varlink.service.InvalidParameter`.
    public static let name = "org.varlink.service.InvalidParameter"
    /// Name of the parameter.
    public var parameter: String

    /// Takes every field.
    public init(parameter: String) {
      self.parameter = parameter
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.parameter = try members.value("parameter")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) {
      let start = buffer.count
      JSONText.append(",\"parameter\":", parameter, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }

  /// Client is denied access.
  public struct PermissionDenied: VarlinkError {
    /// `org.varlink.service.PermissionDenied`.
    public static let name = "org.varlink.service.PermissionDenied"

    /// It has no fields.
    public init() {}

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      try JSONMembers(value).end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) {
      let start = buffer.count
      JSONText.endObject(from: start, in: &buffer)
    }
  }

  /// Method is expected to be called with 'more' set to true, but wasn't.
  public struct ExpectedMore: VarlinkError {
    /// `org.varlink.service.ExpectedMore`.
    public static let name = "org.varlink.service.ExpectedMore"

    /// It has no fields.
    public init() {}

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      try JSONMembers(value).end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) {
      let start = buffer.count
      JSONText.endObject(from: start, in: &buffer)
    }
  }
}
