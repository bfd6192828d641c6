internal import StepperClient
internal import StepperCore
internal import StepperLinux
internal import StepperText

extension RecordedDevice {
  /// A device as the daemon describes it. What is longer than a recording may hold is left out.
  init(_ device: DeviceInterface.MonitoredDevice, name: String) {
    var identity = DeviceIdentity(node: device.node)
    identity.name = device.name
    identity.bus = UInt16(clamping: device.bus)
    identity.vendor = UInt16(device.vendor, radix: 16) ?? 0
    identity.product = UInt16(device.product, radix: 16) ?? 0
    identity.physicalPath = device.physicalPath
    identity.uniqueName = device.uniqueName
    identity.links = device.links
    identity.properties = device.properties.filter { !Self.dispensable.contains($0.key) }
    identity.usages = Self.usages(device.codes)
    self.init(name: name, identity: identity)
    keysDown = Self.usages(device.keysDown)
    for axis in device.axes.prefix(RecordingLimit.codes) {
      // What another version of the daemon may name otherwise is left out.
      guard let usage = try? CodeNames.kernel.usage(axis.code), usage.isAbsolute,
        !axes.contains(where: { $0.usage == usage })
      else { continue }
      let ends = [Int32(clamping: axis.minimum), Int32(clamping: axis.maximum)]
      var recorded = RecordedAxis(
        usage, min(ends[0], ends[1])...max(ends[0], ends[1]), at: Int32(clamping: axis.value))
      recorded.fuzz = Int32(clamping: axis.fuzz)
      recorded.flat = Int32(clamping: axis.flat)
      recorded.resolution = Int32(clamping: axis.resolution)
      axes.append(recorded)
      self.identity.usages.insert(usage)
    }
  }

  private static func usages(_ names: [String]) -> Set<EvdevUsage> {
    // As above.
    Set(names.prefix(RecordingLimit.codes).compactMap { try? CodeNames.kernel.usage($0) })
  }

  /// Properties of udev that say nothing of the device itself, or what is in the recording anyway.
  private static let dispensable: Set<String> = [
    "ABS", "ACTION", "CURRENT_TAGS", "DEVLINKS", "DEVNAME", "EV", "FF", "KEY", "LED", "MAJOR", "MINOR",
    "MODALIAS", "MSC",
    "NAME", "PHYS", "PRODUCT", "PROP", "REL", "SEQNUM", "SND", "SUBSYSTEM", "SW", "TAGS", "UNIQ",
    "USEC_INITIALIZED",
  ]

  /// Whether both are the same apart from what changes while it is used.
  func isSameDevice(as other: RecordedDevice) -> Bool {
    var (one, other) = (self, other)
    for index in one.axes.indices { one.axes[index].position = 0 }
    for index in other.axes.indices { other.axes[index].position = 0 }
    (one.keysDown, other.keysDown) = ([], [])
    (one.isPresentAtStart, other.isPresentAtStart) = (true, true)
    return one == other
  }
}
