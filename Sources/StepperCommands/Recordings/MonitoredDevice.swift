internal import StepperClient
internal import StepperCore
internal import StepperLinux
internal import StepperText

extension DeviceIdentity {
  /// A device as the daemon describes it, without its axes.
  init(_ device: DeviceInterface.MonitoredDevice) {
    self.init(node: device.node)
    provider = device.provider
    name = device.name
    bus = UInt16(clamping: device.bus)
    vendor = UInt16(device.vendor, radix: 16) ?? 0
    product = UInt16(device.product, radix: 16) ?? 0
    physicalPath = device.physicalPath
    uniqueName = device.uniqueName
    links = device.links
    properties = device.properties
    usages = Set(eventCodes: device.codes)
  }
}

extension Set<EvdevUsage> {
  /// The usages of `names`, up to the limit of a recording.
  init(eventCodes names: [String]) {
    self.init(names.prefix(RecordingLimit.codes).compactMap(EvdevUsage.init(eventCode:)))
  }
}

extension EvdevUsage {
  /// Reads `REL_DIAL`, or the type and number of a code without a name: `EV_ABS:0x3f`. Nil for a name that only another
  /// version of the daemon knows.
  init?(eventCode name: String) {
    // The error would only repeat the name.
    guard let usage = try? CodeNames.kernel.usage(name) else { return nil }
    self = usage
  }
}

extension DeviceInterface.Frame {
  var instant: Instant { .microseconds(monotonicMicroseconds) }

  /// The events whose codes are known, up to the limit of a recording.
  var knownEvents: EvdevEvents {
    EvdevEvents(
      events.prefix(RecordingLimit.codes).compactMap { event in
        EvdevUsage(eventCode: event.code).map { EvdevEvent($0, Int32(clamping: event.value)) }
      })
  }
}
