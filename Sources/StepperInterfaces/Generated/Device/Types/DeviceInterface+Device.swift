// Made by varlink-generate from org.stepperd.device.varlink; do not edit.

public import Varlink

extension DeviceInterface {
  /// A device and how it stands.
  public struct Device: Hashable, Sendable, JSONReadable, JSONWritable {
    /// Stable identity across reconnects: the name of the [device.NAME] table, with `:2`, `:3` … behind it
    /// for further devices that match the same table; the kernel's name (`event5`) for an unused device, and
    /// `PROVIDER-1`, `PROVIDER-2` … for an unused one of a program.
    public var device: String
    /// The name for people, of the kernel or of the program that attached it.
    public var name: String
    /// Vendor, four hexadecimal digits.
    public var vendor: String?
    /// Product, four hexadecimal digits.
    public var product: String?
    /// Where it is plugged in, as the kernel names it.
    public var physicalPath: String?
    /// Serial number or Bluetooth address.
    public var uniqueName: String?
    /// Device node, for example `/dev/input/event5`.
    public var node: String?
    /// Whether it exists in software only.
    public var virtual: Bool
    /// Name of the program that has attached it by org.stepperd.provider, as that calls itself. Absent: it is
    /// no program's.
    public var provider: String?
    /// Process that has attached it. Absent: it is not attached.
    public var providerProcess: Int64?
    /// User of that process.
    public var providerUser: Int64?
    /// CLOCK_MONOTONIC time since when it is attached, in microseconds.
    public var attachedMicroseconds: Int64?
    /// How a device stands.
    public var state: DeviceState
    /// Why it, or what it has to be felt, heard and seen by, cannot be used, and what to do about it.
    public var problem: String?
    /// Its inputs.
    public var capabilities: [Capability]
    /// How many of them are left out: a reply of many devices with very many inputs would be too long.
    /// Absent: none.
    public var omittedCapabilities: Int64?
    /// What it can be felt by: `rumble`, `click`, … in the order in which they are preferred.
    public var outputs: [String]
    /// What it can show a brightness by: `LED_MUTE`, `pulse-led`, … None of the last devices of a reply that
    /// would be too long with them.
    public var lights: [String]
    /// Input events read since the daemon started.
    public var events: Int64
    /// Losses reported by the kernel (SYN_DROPPED) since the daemon started.
    public var overruns: Int64
    /// How often it was connected since the daemon started.
    public var connects: Int64

    /// Takes every field; one that may be absent is absent unless it is given.
    public init(
      device: String, name: String, vendor: String? = nil, product: String? = nil,
      physicalPath: String? = nil, uniqueName: String? = nil, node: String? = nil, virtual: Bool,
      provider: String? = nil, providerProcess: Int64? = nil, providerUser: Int64? = nil,
      attachedMicroseconds: Int64? = nil, state: DeviceState, problem: String? = nil,
      capabilities: [Capability], omittedCapabilities: Int64? = nil, outputs: [String], lights: [String],
      events: Int64, overruns: Int64, connects: Int64
    ) {
      self.device = device
      self.name = name
      self.vendor = vendor
      self.product = product
      self.physicalPath = physicalPath
      self.uniqueName = uniqueName
      self.node = node
      self.virtual = virtual
      self.provider = provider
      self.providerProcess = providerProcess
      self.providerUser = providerUser
      self.attachedMicroseconds = attachedMicroseconds
      self.state = state
      self.problem = problem
      self.capabilities = capabilities
      self.omittedCapabilities = omittedCapabilities
      self.outputs = outputs
      self.lights = lights
      self.events = events
      self.overruns = overruns
      self.connects = connects
    }

    /// Reads the members of a JSON object.
    public init(json value: JSONValue) throws(JSONMisfit) {
      var members = try JSONMembers(value)
      self.device = try members.value("device")
      self.name = try members.value("name")
      self.vendor = try members.optional("vendor")
      self.product = try members.optional("product")
      self.physicalPath = try members.optional("physicalPath")
      self.uniqueName = try members.optional("uniqueName")
      self.node = try members.optional("node")
      self.virtual = try members.value("virtual")
      self.provider = try members.optional("provider")
      self.providerProcess = try members.optional("providerProcess")
      self.providerUser = try members.optional("providerUser")
      self.attachedMicroseconds = try members.optional("attachedMicroseconds")
      self.state = try members.value("state")
      self.problem = try members.optional("problem")
      self.capabilities = try members.value("capabilities")
      self.omittedCapabilities = try members.optional("omittedCapabilities")
      self.outputs = try members.value("outputs")
      self.lights = try members.value("lights")
      self.events = try members.value("events")
      self.overruns = try members.value("overruns")
      self.connects = try members.value("connects")
      try members.end()
    }

    /// Appends a JSON object, its members in the order of the interface description.
    public func appendJSON(to buffer: inout [UInt8]) throws(VarlinkMessageError) {
      let start = buffer.count
      JSONText.append(",\"device\":", device, to: &buffer)
      JSONText.append(",\"name\":", name, to: &buffer)
      JSONText.append(",\"vendor\":", vendor, to: &buffer)
      JSONText.append(",\"product\":", product, to: &buffer)
      JSONText.append(",\"physicalPath\":", physicalPath, to: &buffer)
      JSONText.append(",\"uniqueName\":", uniqueName, to: &buffer)
      JSONText.append(",\"node\":", node, to: &buffer)
      JSONText.append(",\"virtual\":", virtual, to: &buffer)
      JSONText.append(",\"provider\":", provider, to: &buffer)
      JSONText.append(",\"providerProcess\":", providerProcess, to: &buffer)
      JSONText.append(",\"providerUser\":", providerUser, to: &buffer)
      JSONText.append(",\"attachedMicroseconds\":", attachedMicroseconds, to: &buffer)
      try JSONText.append(",\"state\":", state, to: &buffer)
      JSONText.append(",\"problem\":", problem, to: &buffer)
      try JSONText.append(",\"capabilities\":", capabilities, to: &buffer)
      JSONText.append(",\"omittedCapabilities\":", omittedCapabilities, to: &buffer)
      try JSONText.append(",\"outputs\":", outputs, to: &buffer)
      try JSONText.append(",\"lights\":", lights, to: &buffer)
      JSONText.append(",\"events\":", events, to: &buffer)
      JSONText.append(",\"overruns\":", overruns, to: &buffer)
      JSONText.append(",\"connects\":", connects, to: &buffer)
      JSONText.endObject(from: start, in: &buffer)
    }
  }
}
