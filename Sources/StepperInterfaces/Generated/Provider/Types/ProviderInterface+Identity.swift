// Made by varlink-generate from org.stepperd.provider.varlink; do not edit.

public import Varlink

extension ProviderInterface {
  /// What a device is. A device with the same provider, name, path and serial as one that was attached before
  /// is the same device.
  public struct Identity: Hashable, Sendable, JSONReadable, JSONWritable {
    /// Name of the program: [a-z0-9._-]+, at most 64 bytes. `provider` of a match.
    public var provider: String
    /// Name of the device for people: one line of at most 255 bytes. `name` of a match.
    public var name: String
    /// Where it is plugged in, the same after a restart: at most 255 bytes. `phys` of a match. Absent:
    /// unknown.
    public var path: String?
    /// Its serial number: at most 255 bytes. `uniq` of a match. Absent: it has none.
    public var serial: String?
    /// Vendor, four hexadecimal digits. Absent: unknown.
    public var vendor: String?
    /// Product, four hexadecimal digits. Absent: unknown.
    public var product: String?

    /// Takes every field; one that may be absent is absent unless it is given.
    public init(
      provider: String, name: String, path: String? = nil, serial: String? = nil, vendor: String? = nil,
      product: String? = nil
    ) {
      self.provider = provider
      self.name = name
      self.path = path
      self.serial = serial
      self.vendor = vendor
      self.product = product
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.provider = try members.value("provider")
      self.name = try members.value("name")
      self.path = try members.optional("path")
      self.serial = try members.optional("serial")
      self.vendor = try members.optional("vendor")
      self.product = try members.optional("product")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) {
      let start = buffer.count
      JSONText.append(",\"provider\":", provider, to: &buffer)
      JSONText.append(",\"name\":", name, to: &buffer)
      JSONText.append(",\"path\":", path, to: &buffer)
      JSONText.append(",\"serial\":", serial, to: &buffer)
      JSONText.append(",\"vendor\":", vendor, to: &buffer)
      JSONText.append(",\"product\":", product, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }
}
