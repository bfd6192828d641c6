import StepperConfiguration
import StepperCore
import StepperInput
import StepperSystem
import SystemPackage

extension Daemon {
  func present() -> [DeviceIdentity] {
    do throws(Errno) {
      return try monitor.devices()
    } catch {
      journal.error(.device, "cannot list the input devices: \(error)")
      return []
    }
  }

  func readMonitor() {
    do throws(Errno) {
      for change in try monitor.receive() {
        switch change {
        case .present(let identity): devices.plugged(identity)
        case .removed(let node): devices.unplugged(node)
        case .classPresent(let name): devices.classPlugged(name)
        case .classRemoved(let name): devices.classUnplugged(name)
        case .overflowed:
          devices.configure(loaded.configuration.devices, present: present())
          for name in devices.entries.compactMap(\.className) { devices.classUnplugged(name) }
        }
      }
    } catch {
      journal.error(.device, "no news of devices coming and going any more: \(error)")
      loop.unwatch(monitor.rawDescriptor)
    }
  }
}
