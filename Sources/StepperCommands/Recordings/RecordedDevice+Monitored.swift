internal import StepperClient
internal import StepperCore
internal import StepperText

extension RecordedDevice {
  /// A device as the daemon describes it, within the limits of a recording.
  init(_ device: DeviceInterface.MonitoredDevice, name: String) {
    var identity = DeviceIdentity(device)
    identity.properties = identity.properties.filter { !Self.dispensable.contains($0.key) }
    self.init(name: name, identity: identity)
    keysDown = Set(eventCodes: device.keysDown)
    for detent in (device.detents ?? []).prefix(RecordingLimit.codes) {
      guard let usage = EvdevUsage(eventCode: detent.code), usage.isRelative, detent.counts > 0 else {
        continue
      }
      countsPerDetent[usage.code] = Int(clamping: detent.counts)
    }
    for axis in device.axes.prefix(RecordingLimit.codes) {
      guard let usage = EvdevUsage(eventCode: axis.code), usage.isAbsolute,
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

  /// udev properties that do not describe the device itself, or that other lines of the recording contain.
  private static let dispensable: Set<String> = [
    "ABS", "ACTION", "CURRENT_TAGS", "DEVLINKS", "DEVNAME", "EV", "FF", "KEY", "LED", "MAJOR", "MINOR",
    "MODALIAS", "MSC",
    "NAME", "PHYS", "PRODUCT", "PROP", "REL", "SEQNUM", "SND", "SUBSYSTEM", "SW", "TAGS", "UNIQ",
    "USEC_INITIALIZED",
  ]

  /// Whether both descriptions are the same except for positions and pressed keys.
  func isSameDevice(as other: RecordedDevice) -> Bool {
    var (one, other) = (self, other)
    for index in one.axes.indices { one.axes[index].position = 0 }
    for index in other.axes.indices { other.axes[index].position = 0 }
    (one.keysDown, other.keysDown) = ([], [])
    (one.isPresentAtStart, other.isPresentAtStart) = (true, true)
    return one == other
  }
}
