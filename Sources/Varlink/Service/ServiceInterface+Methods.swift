extension ServiceInterface {
  /// Get a list of all the interfaces a service provides and information about the implementation.
  public enum GetInfo: VarlinkMethod {
    /// The fully qualified name.
    public static let name = "org.varlink.service.GetInfo"
    /// It is called with nothing.
    public typealias Parameters = NoParameters

    /// What it answers.
    public struct Reply: Codable, Hashable, Sendable {
      /// Who makes the service.
      public var vendor: String
      /// The name of the service.
      public var product: String
      /// Its version.
      public var version: String
      /// Where to read more.
      public var url: String
      /// The names of the interfaces it provides.
      public var interfaces: [String]

      /// Its fields, in the order of the interface description.
      public init(vendor: String, product: String, version: String, url: String, interfaces: [String]) {
        self.vendor = vendor
        self.product = product
        self.version = version
        self.url = url
        self.interfaces = interfaces
      }
    }
  }

  /// Get the description of an interface that is implemented by this service.
  public enum GetInterfaceDescription: VarlinkMethod {
    /// The fully qualified name.
    public static let name = "org.varlink.service.GetInterfaceDescription"

    /// What it is called with.
    public struct Parameters: Codable, Hashable, Sendable {
      /// The name of the interface.
      public var interface: String

      /// Its fields, in the order of the interface description.
      public init(interface: String) {
        self.interface = interface
      }
    }

    /// What it answers.
    public struct Reply: Codable, Hashable, Sendable {
      /// The interface description, to the byte.
      public var description: String

      /// Its fields, in the order of the interface description.
      public init(description: String) {
        self.description = description
      }
    }
  }
}
