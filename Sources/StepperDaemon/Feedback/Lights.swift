import StepperConfiguration
import StepperCore
import StepperLinux

/// Lights that follow the values of controls, or are set by clients.
final class Lights {
  private let world: World
  private let devices: Devices
  /// Controls whose lights are not updated yet.
  private var pending: Set<ControlID> = []
  /// The last known brightness of each control, and the control that each light shows, because several may share a light.
  private var known: [ControlID: Double] = [:]
  private var owners: [Light: ControlID] = [:]
  /// Lights that show the value of a control, except while clients set them.
  private var followers: Set<Light> = []
  /// The brightnesses, 0…1, that connections have set for a light; the last one is shown.
  private var holds: [Light: [(session: Int64, brightness: Double)]] = [:]

  /// One light of one device.
  private struct Light: Hashable {
    var device: String
    var name: String
  }

  init(_ world: World, _ devices: Devices) {
    self.world = world
    self.devices = devices
  }

  func note(_ control: ControlID) {
    if !world.entry(of: control).configuration.lights.isEmpty { pending.insert(control) }
  }

  /// Call it after changes of devices, controls or ranges. Ends the settings of removed lights, and switches lights
  /// off that no control uses any more.
  func noteAll() {
    holds = holds.filter { devices.entry(named: $0.key.device)?.outputs != nil }
    pending = Set(world.ids.filter { !world.configuration(of: $0).lights.isEmpty })
    // A reload gives all controls new IDs.
    let ids = Set(world.ids)
    known = known.filter { ids.contains($0.key) }
    owners = owners.filter { ids.contains($0.value) }
    let former = followers
    followers = Set(world.ids.flatMap(lights))
    for light in former.subtracting(followers) where holds[light] == nil { show(0, on: light) }
    // The device may have been opened again.
    for (light, held) in holds { if let last = held.last { show(last.brightness, on: light) } }
  }

  /// Updates the lights of changed controls, in the order of the configuration. If several controls share a light, it
  /// shows the one whose brightness changed last, and keeps showing it when only the light has changed. Before any
  /// change it shows the last of these controls in the file.
  func follow() {
    guard !pending.isEmpty else { return }
    let due = pending
    pending = []
    var unclaimed: Set<Light> = []
    for control in due.sorted(by: { $0.index < $1.index }) {
      let brightness = brightness(of: control)
      let hasChanged = known.updateValue(brightness, forKey: control) != brightness
      for light in lights(of: control) {
        if owners[light] == nil { unclaimed.insert(light) }
        if hasChanged || unclaimed.contains(light) { owners[light] = control }
        if owners[light] == control, holds[light] == nil { show(brightness, on: light) }
      }
    }
  }

  /// The lights of connected devices that follow a control.
  private func lights(of control: ControlID) -> [Light] {
    world.configuration(of: control).lights.flatMap { reference in
      devices.entries.compactMap { entry in
        guard entry.table == reference.device, let outputs = entry.outputs,
          let name = reference.output ?? outputs.lights.first
        else { return nil }
        return Light(device: entry.name, name: name)
      }
    }
  }

  /// The position of the value between minimum and maximum, 0…1; without both the light is on unless the value is 0
  /// or unset.
  private func brightness(of control: ControlID) -> Double {
    let settings = world.adjustedSettings(of: control)
    guard let value = world.state(of: control).value?.doubleValue else { return 0 }
    guard let minimum = settings.minimumValue?.doubleValue, let maximum = settings.maximumValue?.doubleValue,
      minimum < maximum
    else { return value == 0 ? 0 : 1 }
    return min(max((value - minimum) / (maximum - minimum), 0), 1)
  }

  private func show(_ brightness: Double, on light: Light) {
    guard let entry = devices.entry(named: light.device) else { return }
    devices.setLight(light.name, of: entry, to: brightness)
  }

  // MARK: Clients

  /// Sets a light for a connection, until another connection sets it or this one closes. Returns false if the light
  /// does not exist.
  func hold(_ name: String, of entry: DeviceEntry, at brightness: Double, by session: Int64) -> Bool {
    guard devices.setLight(name, of: entry, to: brightness) else { return false }
    let light = Light(device: entry.name, name: name)
    holds[light]?.removeAll { $0.session == session }
    holds[light, default: []].append((session, brightness))
    return true
  }

  /// A connection was closed: its lights return to the brightness of an earlier connection, follow their controls
  /// again, or are switched off.
  func release(all session: Int64) {
    for (light, former) in holds {
      let left = former.filter { $0.session != session }
      guard left.count < former.count else { continue }
      holds[light] = left.isEmpty ? nil : left
      if let last = left.last {
        show(last.brightness, on: light)
      } else if followers.contains(light) {
        pending.formUnion(world.ids.filter { lights(of: $0).contains(light) })
      } else {
        show(0, on: light)
      }
    }
  }
}
