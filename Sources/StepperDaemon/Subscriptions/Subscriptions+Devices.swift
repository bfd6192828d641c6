import StepperCore
import StepperInterfaces
import Varlink

/// The replies to `org.stepperd.device.Subscribe` and `org.stepperd.device.Monitor`.
extension Subscriptions {
  func sendDevices(_ row: Int, on connection: inout VarlinkServerConnection, at now: Instant) {
    guard let report = take(row, at: now) else { return }
    let names = Set(devices.entries.map(\.name))
    let (isSnapshot, pending) = (report.controls == nil, change(row) { $0.takeAllDevices(of: names) })
    let reported =
      isSnapshot
      ? devices.descriptions
      : devices.descriptions { pending.contains($0.name) } + removed(pending.subtracting(names))
    connection.reply(
      DeviceInterface.Subscribe.Reply(snapshot: isSnapshot, devices: reported), continues: true)
  }

  /// Descriptions of devices that have left the list: unused devices leave it when they are disconnected.
  private func removed(_ names: Set<String>) -> [DeviceInterface.Device] {
    names.sorted().map { name in
      DeviceInterface.Device(
        device: name, name: "", virtual: false, state: .absent, capabilities: [], outputs: [], lights: [],
        events: 0, overruns: 0, connects: 0)
    }
  }

  func sendFrames(_ row: Int, on connection: inout VarlinkServerConnection, at now: Instant) {
    guard let report = take(row, at: now) else { return }
    guard !rows[row].isForbidden else {
      return connection.fail(VarlinkFailure(ServiceInterface.PermissionDenied()))
    }
    let (changed, removed) = change(row) { $0.takeDevices(of: devices) }
    // The frames of unused devices were not queued with the others.
    let frames = report.events.sorted { $0.time < $1.time }
    connection.reply(continues: true) { bytes throws(VarlinkMessageError) in
      let start = bytes.count
      try JSONText.append(",\"devices\":", changed, to: &bytes)
      try JSONText.append(",\"removed\":", removed, to: &bytes)
      try JSONText.append(",\"frames\":", frames, to: &bytes)
      JSONText.append(",\"dropped\":", report.missed, to: &bytes)
      JSONText.endObject(from: start, in: &bytes)
    }
  }
}

extension Subscription {
  /// Whether the client is sent the frames of a device whose name matches.
  func mayWatch(_ entry: DeviceEntry) -> Bool {
    guard case .frames(let options) = topic, isWanted(entry) else { return false }
    return options.includesKeyboards || entry.identity?.isGeneralPurpose != true
  }

  /// Whether the client asks for a device whose name matches, and the device is present.
  private func isWanted(_ entry: DeviceEntry) -> Bool {
    guard case .frames(let options) = topic, entry.identity != nil || entry.isVirtual else { return false }
    return entry.configuration != nil || options.includesUnused || options.names.contains(entry.name)
  }

  /// Records a change of a device whose name matches. A device that came and went between two replies is left out,
  /// because programs may attach any number of devices.
  mutating func noteDevice(_ name: String, isThere: Bool, isWatched: Bool = false) {
    if isWatched { watchedDevices.insert(name) } else { watchedDevices.remove(name) }
    if isThere || reportedDevices.contains(name) {
      pendingDevices.insert(name)
    } else {
      pendingDevices.remove(name)
    }
  }

  /// Takes the names of the changed devices, so that none are pending. `names` has the names of all devices.
  mutating func takeAllDevices(of names: Set<String>) -> Set<String> {
    defer { (pendingDevices, reportedDevices) = ([], names) }
    return pendingDevices
  }

  /// Takes the changed devices, in the order in which they were added, as many as there is room for. The others remain
  /// pending.
  mutating func takeDevices(
    of devices: Devices
  ) -> (changed: [DeviceInterface.MonitoredDevice], removed: [String]) {
    guard !pendingDevices.isEmpty else { return ([], []) }
    var room = ReplyRoom()
    var changed: [DeviceInterface.MonitoredDevice] = []
    for entry in devices.entries where pendingDevices.contains(entry.name) && isWanted(entry) {
      let device = devices.monitored(entry, isWatched: watchedDevices.contains(entry.name))
      guard room.take(device.replySize) || changed.isEmpty else {
        reportedDevices.formUnion(changed.map(\.device))
        pendingDevices.subtract(reportedDevices)
        return (changed, [])
      }
      changed.append(device)
    }
    let names = Set(changed.map(\.device))
    let removed = pendingDevices.subtracting(names).intersection(reportedDevices).sorted()
    reportedDevices.formUnion(names)
    reportedDevices.subtract(removed)
    pendingDevices = []
    return (changed, removed)
  }
}
