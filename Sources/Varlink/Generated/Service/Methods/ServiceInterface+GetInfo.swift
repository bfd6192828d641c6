// Made by varlink-generate from org.varlink.service.varlink; do not edit.

extension ServiceInterface {
  /// Get a list of all the interfaces a service provides and information about the implementation.
  public enum GetInfo: VarlinkMethod {
    /// `org.varlink.service.GetInfo`.
    public static let name = "org.varlink.service.GetInfo"

    /// ``GetInfo`` has no parameters.
    public typealias Parameters = NoParameters

    /// The results of ``GetInfo``.
    public struct Reply: Hashable, Sendable, JSONReadable, JSONWritable {
      /// Who makes the service.
      public var vendor: String
      /// Name of the service.
      public var product: String
      /// Version of the service.
      public var version: String
      /// Where to read more.
      public var url: String
      /// Names of the interfaces it provides.
      public var interfaces: [String]

      /// Takes every field.
      public init(vendor: String, product: String, version: String, url: String, interfaces: [String]) {
        self.vendor = vendor
        self.product = product
        self.version = version
        self.url = url
        self.interfaces = interfaces
      }

      /// Reads the members of a JSON object.
      public init(json value: JSONValue) throws(JSONMisfit) {
        var members = try JSONMembers(value)
        self.vendor = try members.value("vendor")
        self.product = try members.value("product")
        self.version = try members.value("version")
        self.url = try members.value("url")
        self.interfaces = try members.value("interfaces")
        try members.end()
      }

      /// Appends a JSON object, its members in the order of the interface description.
      public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
        let start = buffer.count
        JSONText.append(",\"vendor\":", vendor, to: &buffer)
        JSONText.append(",\"product\":", product, to: &buffer)
        JSONText.append(",\"version\":", version, to: &buffer)
        JSONText.append(",\"url\":", url, to: &buffer)
        try JSONText.append(",\"interfaces\":", interfaces, to: &buffer)
        JSONText.endObject(from: start, in: &buffer)
      }
    }
  }
}
