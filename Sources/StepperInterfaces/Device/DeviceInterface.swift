/// `org.stepperd.device`: the input devices behind the controls, and virtual input.
public enum DeviceInterface {
  /// The name of the interface.
  public static let name = "org.stepperd.device"

  /// What an input is. New roles may be added.
  public enum Role: String, Codable, Hashable, Sendable {
    case button, encoder, axis
  }

  /// How a device stands. New states may be added.
  public enum DeviceState: String, Codable, Hashable, Sendable {
    case absent, unused, denied, busy, open, grabbed
  }

  /// An input of a device.
  public struct Capability: Codable, Hashable, Sendable {
    /// Name inside the device: the evdev code (`REL_DIAL`), or for a virtual device `plus`, `minus`,
    /// `dial`, `push`, `fader`. `DEVICE:NAME` is what a binding in the configuration says.
    public var name: String
    /// What it is.
    public var role: Role
    /// Controls that this feeds.
    public var controls: [String]
    /// evdev type and code names, for example `EV_REL` and `REL_DIAL`.
    public var eventType: String
    /// The evdev code: `REL_DIAL`.
    public var eventCode: String
    /// Range of an axis.
    public var minimum: Int64?
    /// The upper end of the range; nil: unbounded.
    public var maximum: Int64?

    /// Its fields, in the order of the interface description.
    public init(
      name: String, role: Role, controls: [String], eventType: String, eventCode: String,
      minimum: Int64? = nil, maximum: Int64? = nil
    ) {
      self.name = name
      self.role = role
      self.controls = controls
      self.eventType = eventType
      self.eventCode = eventCode
      self.minimum = minimum
      self.maximum = maximum
    }
  }

  /// A device and how it stands.
  public struct Device: Codable, Hashable, Sendable {
    /// Stable identity across reconnects: the name of the [device.NAME] table, with `:2`, `:3` … behind it
    /// for further devices that match the same table; the kernel's name (`event5`) for an unused device.
    public var device: String
    /// The kernel's name for people.
    public var name: String
    /// Kernel identity, four hexadecimal digits each.
    public var vendor: String?
    /// The product, four hexadecimal digits.
    public var product: String?
    /// Where it is plugged in.
    public var physicalPath: String?
    /// Its serial number or Bluetooth address.
    public var uniqueName: String?
    /// Its node: `/dev/input/event5`.
    public var node: String?
    /// Whether it exists in software only.
    public var virtual: Bool
    /// How it stands.
    public var state: DeviceState
    /// Why it cannot be used, and what to do about it.
    public var problem: String?
    /// Its inputs.
    public var capabilities: [Capability]
    /// How many inputs are left out, because a reply would be too long; nil: none.
    public var omittedCapabilities: Int64?
    /// What it can be felt by: `rumble`, `click`, … in the order in which they are preferred.
    public var outputs: [String]
    /// What it can show a brightness by: `LED_MUTE`, `pulse-led`, ….
    public var lights: [String]
    /// Since the daemon started: input events read, losses reported by the kernel (SYN_DROPPED), times it
    /// was connected.
    public var events: Int64
    /// Losses reported by the kernel (`SYN_DROPPED`) since the daemon started.
    public var overruns: Int64
    /// How often it was connected since the daemon started.
    public var connects: Int64

    /// Its fields, in the order of the interface description.
    public init(
      device: String, name: String, vendor: String? = nil, product: String? = nil,
      physicalPath: String? = nil, uniqueName: String? = nil, node: String? = nil, virtual: Bool,
      state: DeviceState, problem: String? = nil, capabilities: [Capability],
      omittedCapabilities: Int64? = nil, outputs: [String] = [],
      lights: [String] = [], events: Int64, overruns: Int64, connects: Int64
    ) {
      self.device = device
      self.name = name
      self.vendor = vendor
      self.product = product
      self.physicalPath = physicalPath
      self.uniqueName = uniqueName
      self.node = node
      self.virtual = virtual
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
  }
}
