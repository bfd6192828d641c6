import StepperCore
import StepperInterfaces
import Varlink

/// The replies to one `org.stepperd.device.Monitor`.
///
/// Frames are events and cannot be coalesced: they are queued for a slow client, up to a limit.
final class MonitorFollower: Follower {
  let session: Int64
  private let devices: Devices
  private let patterns: NamePatterns
  /// Those of the names that are no patterns.
  private let names: Set<String>
  private let includesUnused: Bool
  private let includesKeyboards: Bool
  /// Devices whose frames it is sent.
  private var watched: Set<String> = []
  /// Devices that it was sent.
  private var reported: Set<String> = []
  /// Devices that have changed since.
  private var pending: Set<String> = []
  private var waiting = WaitingEvents<DeviceInterface.Frame>()
  private var dropped: Int64 = 0
  /// The first reply is immediate, also without devices, so that the client knows the start of its call.
  private var isNew = true

  init(of devices: Devices, _ parameters: DeviceInterface.Monitor.Parameters, for session: Int64) {
    (self.devices, self.session) = (devices, session)
    patterns = parameters.match.map(NamePatterns.init) ?? .all
    names = Set((parameters.match ?? []).filter { !$0.contains("*") && !$0.contains("?") })
    includesUnused = parameters.unused ?? false
    includesKeyboards = parameters.keyboards ?? false
    let matching = patterns.indices(of: devices.entries.map(\.name))
    for (index, entry) in devices.entries.enumerated() where matching.contains(index) {
      pending.insert(entry.name)
      if isWanted(entry), mayWatch(entry) { watched.insert(entry.name) }
    }
  }

  var stopping: VarlinkFailure { VarlinkFailure(DeviceInterface.Stopping()) }

  // MARK: Devices

  /// Whether it is sent the frames of the device of this name.
  func watches(_ device: String) -> Bool { watched.contains(device) }

  /// Records a change of the device of this name.
  func noteDevice(_ name: String) {
    guard patterns.fit(name) else { return }
    if let entry = devices.index[name], isWanted(entry), mayWatch(entry) {
      watched.insert(name)
    } else {
      watched.remove(name)
    }
    pending.insert(name)
  }

  /// Whether the client asks for a device whose name matches, and which is there.
  private func isWanted(_ entry: DeviceEntry) -> Bool {
    guard entry.identity != nil || entry.isVirtual, devices.index[entry.name] === entry else { return false }
    return entry.configuration != nil || includesUnused || names.contains(entry.name)
  }

  private func mayWatch(_ entry: DeviceEntry) -> Bool {
    includesKeyboards || entry.identity?.isGeneralPurpose != true
  }

  // MARK: Frames

  /// Records a frame.
  func note(_ frame: DeviceInterface.Frame) {
    guard watched.contains(frame.device) else { return }
    dropped += waiting.append(frame, size: frame.replySize)
  }

  // MARK: Replies

  var due: Instant? {
    isNew || !pending.isEmpty || !waiting.isEmpty || dropped > 0 ? Instant(nanoseconds: 0) : nil
  }

  func sendReply(on connection: inout VarlinkServerConnection, at now: Instant) -> Instant? {
    let (changed, removed) = takeDevices()
    var frames = waiting.takeAll()
    // Those of unused devices were not queued with the others.
    frames.sort { $0.monotonicMicroseconds < $1.monotonicMicroseconds }
    connection.reply(
      DeviceInterface.Monitor.Reply(devices: changed, removed: removed, frames: frames, dropped: dropped),
      continues: true)
    (dropped, isNew) = (0, false)
    return nil
  }

  /// The changed devices, in the order in which they were added, as many as there is room for; the others remain
  /// pending.
  private func takeDevices() -> (changed: [DeviceInterface.MonitoredDevice], removed: [String]) {
    guard !pending.isEmpty else { return ([], []) }
    var room = ReplyRoom()
    var changed: [DeviceInterface.MonitoredDevice] = []
    for entry in devices.entries where pending.contains(entry.name) && isWanted(entry) {
      let device = devices.monitored(entry, isWatched: watched.contains(entry.name))
      guard room.take(device.replySize) || changed.isEmpty else {
        reported.formUnion(changed.map(\.device))
        pending.subtract(reported)
        return (changed, [])
      }
      changed.append(device)
    }
    let names = Set(changed.map(\.device))
    let removed = pending.subtracting(names).intersection(reported).sorted()
    reported.formUnion(names)
    reported.subtract(removed)
    pending = []
    return (changed, removed)
  }
}
