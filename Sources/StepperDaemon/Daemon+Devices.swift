import StepperConfiguration
import StepperCore
import StepperInput

extension Daemon {
  func found(_ finding: DeviceDiscovery.Finding) {
    switch finding {
    case .changed(.present(let identity)): devices.plugged(identity)
    case .changed(.removed(let node)): devices.unplugged(node)
    case .changed(.classPresent(let name)): devices.classPlugged(name)
    case .changed(.classRemoved(let name)): devices.classUnplugged(name)
    case .changed(.overflowed): break
    case .listed(let present, let hasGap):
      devices.configure(loaded.configuration.devices, present: present)
      guard hasGap else { return }
      for name in devices.entries.compactMap(\.className) { devices.classUnplugged(name) }
    }
  }
}
