// Made by varlink-generate from org.stepperd.device.varlink; do not edit.

public import Varlink

extension DeviceInterface {
  /// A device that is watched: what a match of the configuration can go by, and what it has.
  public struct MonitoredDevice: Hashable, Sendable, JSONReadable, JSONWritable {
    /// As in List.
    public var device: String
    /// The kernel's name for people.
    public var name: String
    /// Number of the bus in the kernel (BUS_USB is 3).
    public var bus: Int64
    /// Vendor, four hexadecimal digits.
    public var vendor: String
    /// Product, four hexadecimal digits.
    public var product: String
    /// Where it is plugged in, as the kernel names it; empty: unknown.
    public var physicalPath: String
    /// Serial number or Bluetooth address; empty: it has none.
    public var uniqueName: String
    /// Device node, for example `/dev/input/event5`; empty for a virtual device and for one that a program
    /// has attached.
    public var node: String
    /// Name of the program that has attached it by org.stepperd.provider. Absent: it is no program's.
    public var provider: String?
    /// Links to the node that udev made, for example in /dev/input/by-path.
    public var links: [String]
    /// Properties of udev.
    public var properties: [String: String]
    /// Whether it is a keyboard, a mouse, or another device of general purpose.
    public var generalPurpose: Bool
    /// Names of its keys and axes.
    public var codes: [String]
    /// Its absolute axes, once it is open.
    public var axes: [AbsoluteAxis]
    /// Its relative axes with several counts in a detent, as the program says that has attached it. Absent:
    /// none.
    public var detents: [Detent]?
    /// Names of the keys that are down.
    public var keysDown: [String]
    /// Why no frames of it come. Absent: they do.
    public var problem: String?

    /// Takes every field; one that may be absent is absent unless it is given.
    public init(
      device: String, name: String, bus: Int64, vendor: String, product: String, physicalPath: String,
      uniqueName: String, node: String, provider: String? = nil, links: [String],
      properties: [String: String], generalPurpose: Bool, codes: [String], axes: [AbsoluteAxis],
      detents: [Detent]? = nil, keysDown: [String], problem: String? = nil
    ) {
      self.device = device
      self.name = name
      self.bus = bus
      self.vendor = vendor
      self.product = product
      self.physicalPath = physicalPath
      self.uniqueName = uniqueName
      self.node = node
      self.provider = provider
      self.links = links
      self.properties = properties
      self.generalPurpose = generalPurpose
      self.codes = codes
      self.axes = axes
      self.detents = detents
      self.keysDown = keysDown
      self.problem = problem
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.device = try members.value("device")
      self.name = try members.value("name")
      self.bus = try members.value("bus")
      self.vendor = try members.value("vendor")
      self.product = try members.value("product")
      self.physicalPath = try members.value("physicalPath")
      self.uniqueName = try members.value("uniqueName")
      self.node = try members.value("node")
      self.provider = try members.optional("provider")
      self.links = try members.value("links")
      self.properties = try members.value("properties")
      self.generalPurpose = try members.value("generalPurpose")
      self.codes = try members.value("codes")
      self.axes = try members.value("axes")
      self.detents = try members.optional("detents")
      self.keysDown = try members.value("keysDown")
      self.problem = try members.optional("problem")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
      let start = buffer.count
      JSONText.append(",\"device\":", device, to: &buffer)
      JSONText.append(",\"name\":", name, to: &buffer)
      JSONText.append(",\"bus\":", bus, to: &buffer)
      JSONText.append(",\"vendor\":", vendor, to: &buffer)
      JSONText.append(",\"product\":", product, to: &buffer)
      JSONText.append(",\"physicalPath\":", physicalPath, to: &buffer)
      JSONText.append(",\"uniqueName\":", uniqueName, to: &buffer)
      JSONText.append(",\"node\":", node, to: &buffer)
      JSONText.append(",\"provider\":", provider, to: &buffer)
      try JSONText.append(",\"links\":", links, to: &buffer)
      try JSONText.append(",\"properties\":", properties, to: &buffer)
      JSONText.append(",\"generalPurpose\":", generalPurpose, to: &buffer)
      try JSONText.append(",\"codes\":", codes, to: &buffer)
      try JSONText.append(",\"axes\":", axes, to: &buffer)
      try JSONText.append(",\"detents\":", detents, to: &buffer)
      try JSONText.append(",\"keysDown\":", keysDown, to: &buffer)
      JSONText.append(",\"problem\":", problem, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }
}
