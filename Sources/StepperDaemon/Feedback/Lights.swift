import StepperConfiguration
import StepperCore
import StepperInput
import StepperWire

/// Lights that follow the values of controls, or are held by clients.
final class Lights {
  private unowned let controls: Controls
  private unowned let devices: Devices
  /// Controls whose lights are not right any more.
  private var dirty: Set<ControlID> = []
  /// Lights that a connection has set.
  private var held: [Light: Int] = [:]

  /// One light of one device.
  struct Light: Hashable {
    var device: String
    var name: String
  }

  init(_ controls: Controls, _ devices: Devices) {
    self.controls = controls
    self.devices = devices
  }

  func note(_ control: ControlID) {
    if !controls.configuration(of: control).lights.isEmpty { dirty.insert(control) }
  }

  /// Devices, controls or ranges are others. Nobody holds a light of a device that is gone.
  func noteAll() {
    held = held.filter { devices.entry(named: $0.key.device)?.outputs != nil }
    dirty = Set(controls.ids.filter { !controls.configuration(of: $0).lights.isEmpty })
  }

  /// Shows what is not shown yet.
  func follow() {
    for control in dirty {
      let brightness = brightness(of: control)
      for light in controls.configuration(of: control).lights {
        for entry in devices.entries where entry.configuration?.settings.name == light.device {
          guard let name = light.output ?? entry.outputs?.lights.first,
            held[Light(device: entry.name, name: name)] == nil
          else { continue }
          devices.setLight(name, of: entry, to: brightness)
        }
      }
    }
    dirty = []
  }

  /// The part of the way from the minimum to the maximum; a control without both is on unless it is 0 or unset.
  private func brightness(of control: ControlID) -> Double {
    let settings = controls.settings(of: control)
    guard let value = controls.state(of: control).value?.doubleValue else { return 0 }
    guard let minimum = settings.minimumValue?.doubleValue, let maximum = settings.maximumValue?.doubleValue,
      minimum < maximum
    else { return value == 0 ? 0 : 1 }
    return min(max((value - minimum) / (maximum - minimum), 0), 1)
  }

  // MARK: Clients

  /// A connection sets a light, which is its own until it closes. False: there is no such light.
  func hold(_ name: String, of entry: DeviceEntry, at brightness: Double, by session: Int) -> Bool {
    guard devices.setLight(name, of: entry, to: brightness) else { return false }
    held[Light(device: entry.name, name: name)] = session
    return true
  }

  /// A connection is closed: its lights follow their controls again, or go out.
  func release(all session: Int) {
    for (light, holder) in held where holder == session {
      held[light] = nil
      guard let entry = devices.entry(named: light.device) else { continue }
      let followers = controls.ids.filter { id in
        controls.configuration(of: id).lights.contains { reference in
          reference.device == entry.configuration?.settings.name
            && (reference.output ?? entry.outputs?.lights.first) == light.name
        }
      }
      if followers.isEmpty {
        devices.setLight(light.name, of: entry, to: 0)
      } else {
        dirty.formUnion(followers)
      }
    }
  }
}
