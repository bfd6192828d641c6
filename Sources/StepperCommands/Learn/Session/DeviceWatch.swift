internal import StepperClient
internal import StepperCore
internal import StepperText

/// The devices that are plugged in, and their frames.
final class DeviceWatch {
  private let client: StepperClient
  private let monitor: StepperMonitor
  /// The only device to watch, or a pattern for it.
  private let only: String?
  /// The watched devices, by their name in the daemon.
  private(set) var devices: [String: RecordedDevice] = [:]
  /// The reason why a device is not watched, by its name.
  private(set) var problems: [String: String] = [:]
  /// Keyboards and mice, which are watched only if they are named.
  private var generalPurpose: Set<String> = []
  /// Devices that were unplugged since the last call of ``next(timeout:)``.
  private(set) var removed: [String] = []

  /// How many frames were lost since the last call of ``next(timeout:)``.
  private(set) var dropped: Int64 = 0

  /// Messages about the connection to the daemon.
  private var notices: [String] = []

  /// Watches only `device`, of any kind; if it is nil, all devices but keyboards and mice.
  init(_ client: StepperClient, device: String?) {
    (self.client, only) = (client, device)
    monitor = client.monitor(
      .init(match: device.map { [$0] }, unused: true, keyboards: device != nil))
    monitor.connectionChanged = { [weak self] error in
      self?.notices.append(error == nil ? "connected again" : "connection lost, trying again")
    }
  }

  /// The messages about the connection since the last call.
  func takeNotices() -> [String] {
    defer { notices = [] }
    return notices
  }

  /// The frames since the last call; empty if none came within `timeout`.
  func next(timeout: Duration) throws(StepperClientError) -> [WatchedFrame] {
    (removed, dropped) = ([], 0)
    guard let reply = try monitor.next(timeout: timeout) else { return [] }
    dropped = reply.dropped
    for name in reply.removed {
      devices[name] = nil
      problems[name] = nil
      removed.append(name)
    }
    for device in reply.devices {
      problems[device.device] = device.problem
      if device.generalPurpose { generalPurpose.insert(device.device) }
      let isVirtual = device.node.isEmpty && device.provider == nil
      devices[device.device] = isVirtual ? nil : RecordedDevice(device, name: device.device)
    }
    return reply.frames.compactMap { frame in
      devices[frame.device].map {
        WatchedFrame(device: $0.name, time: frame.instant, events: frame.knownEvents)
      }
    }
  }

  /// Every real device that is plugged in, including those that are not watched, such as keyboards.
  func everyDevice() throws(StepperClientError) -> [RecordedDevice] {
    let watched = Array(devices.values)
    let places = Set(watched.map(\.identity.place))
    let others = try client.devices().filter(\.isConnected).map(RecordedDevice.init)
    return watched + others.filter { !places.contains($0.identity.place) }
  }

  /// A line for each connected device: the reason why it is not watched, or that it reports nothing.
  func explanation() throws(StepperClientError) -> [String] {
    let present = try client.devices().filter(\.isConnected)
    guard !present.isEmpty else {
      return [
        "There are no input devices at all. A rotary encoder or a button on pins needs its driver: rotary-encoder or"
          + " gpio-keys, by a device-tree overlay."
      ]
    }
    var lines = ["These are plugged in:"]
    for device in present {
      let name = "\(device.device) \"\(device.name)\""
      let problem = problems[device.device] ?? device.problem
      if generalPurpose.contains(device.device), problem != nil {
        lines.append("  \(name): a keyboard or mouse; --device \(device.device) watches it too")
      } else if let only, devices[device.device] == nil, problem == nil {
        lines.append("  \(name): is not watched, because --device names \(only)")
      } else {
        lines.append("  \(name): \(problem ?? "is watched, and reports nothing")")
      }
    }
    return lines
  }
}

extension DeviceInterface.Device {
  /// Whether the device is connected hardware, which has a node of the kernel or was attached by a program.
  fileprivate var isConnected: Bool { !virtual && (node != nil || provider != nil) }
}

extension RecordedDevice {
  /// A device from its description in the list of devices.
  fileprivate init(_ device: DeviceInterface.Device) {
    var identity = DeviceIdentity(node: device.node ?? "")
    identity.provider = device.provider
    identity.name = device.name
    identity.vendor = device.vendor.flatMap { UInt16($0, radix: 16) } ?? 0
    identity.product = device.product.flatMap { UInt16($0, radix: 16) } ?? 0
    identity.physicalPath = device.physicalPath ?? ""
    identity.uniqueName = device.uniqueName ?? ""
    identity.usages = Set(device.capabilities.compactMap { EvdevUsage(eventCode: $0.eventCode) })
    self.init(name: device.device, identity: identity)
  }
}
