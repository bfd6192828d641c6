extension ServiceInterface {
  /// The requested interface was not found.
  public struct InterfaceNotFound: VarlinkError {
    /// The fully qualified name.
    public static let name = "org.varlink.service.InterfaceNotFound"
    /// The name of the interface.
    public var interface: String

    /// Its fields, in the order of the interface description.
    public init(interface: String) {
      self.interface = interface
    }
  }

  /// The requested method was not found.
  public struct MethodNotFound: VarlinkError {
    /// The fully qualified name.
    public static let name = "org.varlink.service.MethodNotFound"
    /// The fully qualified name of the method.
    public var method: String

    /// Its fields, in the order of the interface description.
    public init(method: String) {
      self.method = method
    }
  }

  /// The interface defines the requested method, but the service does not implement it.
  public struct MethodNotImplemented: VarlinkError {
    /// The fully qualified name.
    public static let name = "org.varlink.service.MethodNotImplemented"
    /// The fully qualified name of the method.
    public var method: String

    /// Its fields, in the order of the interface description.
    public init(method: String) {
      self.method = method
    }
  }

  /// One of the passed parameters is invalid.
  public struct InvalidParameter: VarlinkError {
    /// The fully qualified name.
    public static let name = "org.varlink.service.InvalidParameter"
    /// The name of the parameter.
    public var parameter: String

    /// Its fields, in the order of the interface description.
    public init(parameter: String) {
      self.parameter = parameter
    }
  }

  /// Client is denied access.
  public struct PermissionDenied: VarlinkError {
    /// The fully qualified name.
    public static let name = "org.varlink.service.PermissionDenied"

    /// It has no parameters.
    public init() {}
  }

  /// Method is expected to be called with 'more' set to true, but wasn't.
  public struct ExpectedMore: VarlinkError {
    /// The fully qualified name.
    public static let name = "org.varlink.service.ExpectedMore"

    /// It has no parameters.
    public init() {}
  }
}
