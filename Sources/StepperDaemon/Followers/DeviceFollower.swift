import StepperCore
import StepperInterfaces
import Varlink

/// The replies to one `org.stepperd.device.Subscribe`.
final class DeviceFollower: Follower {
  private unowned let devices: Devices
  private var owesSnapshot = true
  /// Names of changed devices.
  private var dirty: Set<String> = []

  init(of devices: Devices) { self.devices = devices }

  var stopping: VarlinkFailure { VarlinkFailure(DeviceInterface.Stopping()) }

  var topic: Change.Topic { .devices }

  func note(_ change: Change) {
    if case .device(let name) = change { dirty.insert(name) }
  }

  var due: Instant? { owesSnapshot || !dirty.isEmpty ? Instant(nanoseconds: 0) : nil }

  func tell(_ connection: inout VarlinkServerConnection, at now: Instant) -> Instant? {
    defer { (owesSnapshot, dirty) = (false, []) }
    let told = owesSnapshot ? devices.descriptions : devices.descriptions { dirty.contains($0.name) } + gone
    connection.reply(DeviceInterface.Subscribe.Reply(snapshot: owesSnapshot, devices: told), continues: true)
    return nil
  }

  /// Unused devices are removed from the list when they are disconnected.
  private var gone: [DeviceInterface.Device] {
    let present = Set(devices.entries.map(\.name))
    return dirty.subtracting(present).sorted().map { name in
      DeviceInterface.Device(
        device: name, name: "", virtual: false, state: .absent, capabilities: [], events: 0, overruns: 0,
        connects: 0)
    }
  }
}
