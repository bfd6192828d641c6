import StepperCore
import StepperInterfaces
import Varlink

/// The replies to one `org.stepperd.device.Subscribe`.
final class DeviceFollower: Follower {
  let session: Int64
  private let devices: Devices
  private var needsSnapshot = true
  /// Names of changed devices.
  private var pending: Set<String> = []

  init(of devices: Devices, for session: Int64) { (self.devices, self.session) = (devices, session) }

  var stopping: VarlinkFailure { VarlinkFailure(DeviceInterface.Stopping()) }

  /// Records a change of the device of this name.
  func note(_ name: String) { pending.insert(name) }

  var due: Instant? { needsSnapshot || !pending.isEmpty ? Instant(nanoseconds: 0) : nil }

  func sendReply(on connection: inout VarlinkServerConnection, at now: Instant) -> Instant? {
    defer { (needsSnapshot, pending) = (false, []) }
    let reported =
      needsSnapshot ? devices.descriptions : devices.descriptions { pending.contains($0.name) } + removed
    connection.reply(
      DeviceInterface.Subscribe.Reply(snapshot: needsSnapshot, devices: reported), continues: true)
    return nil
  }

  /// Unused devices are removed from the list when they are disconnected.
  private var removed: [DeviceInterface.Device] {
    let present = Set(devices.entries.map(\.name))
    return pending.subtracting(present).sorted().map { name in
      DeviceInterface.Device(
        device: name, name: "", virtual: false, state: .absent, capabilities: [], outputs: [], lights: [],
        events: 0, overruns: 0,
        connects: 0)
    }
  }
}
