import StepperConfiguration
import StepperCore
import StepperInput

/// Lights that follow the values of controls, or are held by clients.
final class Lights {
  private unowned let controls: Controls
  private unowned let devices: Devices
  /// Controls whose lights are not right any more.
  private var dirty: Set<ControlID> = []
  /// Lights that show the value of a control, but for those that are held.
  private var followers: Set<Light> = []
  /// What connections want of a light, the one that set it last at the end: that is shown.
  private var holds: [Light: [Hold]] = [:]

  /// One light of one device.
  private struct Light: Hashable {
    var device: String
    var name: String
  }

  private struct Hold {
    var session: Int64
    /// 0…1.
    var brightness: Double
  }

  init(_ controls: Controls, _ devices: Devices) {
    self.controls = controls
    self.devices = devices
  }

  func note(_ control: ControlID) {
    if !controls.configuration(of: control).lights.isEmpty { dirty.insert(control) }
  }

  /// Devices, controls or ranges are others. Nobody holds a light of a device that is gone, and one that no control
  /// has any more goes out.
  func noteAll() {
    holds = holds.filter { devices.entry(named: $0.key.device)?.outputs != nil }
    dirty = Set(controls.ids.filter { !controls.configuration(of: $0).lights.isEmpty })
    let former = followers
    followers = Set(controls.ids.flatMap(lights))
    for light in former.subtracting(followers) where holds[light] == nil { show(0, on: light) }
  }

  /// Shows what is not shown yet.
  func follow() {
    let due = dirty
    dirty = []
    for control in due {
      let brightness = brightness(of: control)
      for light in lights(of: control) where holds[light] == nil { show(brightness, on: light) }
    }
  }

  /// The lights that follow a control, as far as their devices are there.
  private func lights(of control: ControlID) -> [Light] {
    controls.configuration(of: control).lights.flatMap { reference in
      devices.entries.compactMap { entry in
        guard entry.configuration?.settings.name == reference.device, let outputs = entry.outputs,
          let name = reference.output ?? outputs.lights.first
        else { return nil }
        return Light(device: entry.name, name: name)
      }
    }
  }

  /// The part of the way from the minimum to the maximum; a control without both is on unless it is 0 or unset.
  private func brightness(of control: ControlID) -> Double {
    let settings = controls.adjustedSettings(of: control)
    guard let value = controls.state(of: control).value?.doubleValue else { return 0 }
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

  /// A connection sets a light, which is its own until another one sets it or this one closes. False: there is no
  /// such light.
  func hold(_ name: String, of entry: DeviceEntry, at brightness: Double, by session: Int64) -> Bool {
    guard devices.setLight(name, of: entry, to: brightness) else { return false }
    let light = Light(device: entry.name, name: name)
    holds[light]?.removeAll { $0.session == session }
    holds[light, default: []].append(Hold(session: session, brightness: brightness))
    return true
  }

  /// A connection is closed: its lights are those of whoever set them before it, or follow their controls again, or
  /// go out.
  func release(all session: Int64) {
    for (light, former) in holds {
      let left = former.filter { $0.session != session }
      guard left.count < former.count else { continue }
      holds[light] = left.isEmpty ? nil : left
      if let last = left.last {
        show(last.brightness, on: light)
      } else if followers.contains(light) {
        dirty.formUnion(controls.ids.filter { lights(of: $0).contains(light) })
      } else {
        show(0, on: light)
      }
    }
  }
}
