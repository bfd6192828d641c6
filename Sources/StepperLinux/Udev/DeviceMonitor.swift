internal import CLinux
package import StepperCore
package import SystemPackage

/// An event of ``DeviceMonitor``.
package enum DeviceChange: Hashable, Sendable {
  /// A device was added, or its properties have changed. Often sent twice; the last event is valid.
  case present(DeviceIdentity)
  case removed(node: String)
  /// An LED-class device was added, or its properties have changed; `name` is its name in `/sys/class/leds`.
  case classPresent(name: String)
  case classRemoved(name: String)
  /// The kernel dropped messages: enumerate again, and treat every device that is not in ``DeviceMonitor/devices()``
  /// as removed.
  case overflowed
}

/// Reports when input devices and LED-class devices of the machine are added and removed.
///
/// The initializer starts the monitor; ``receive()`` returns the events after that. Then call ``devices()`` once for
/// the existing devices. A device may appear in both.
package final class DeviceMonitor {
  private let monitor: UdevMonitor

  private static let inputSubsystem = "input"
  private static let classSubsystem = "leds"
  /// The maximum of events for one wakeup: opening a device takes some hundred requests to the kernel.
  private static let mostAtOnce = 16

  /// Throws the errors of ``UdevMonitor``.
  package init(source: UdevMonitor.Source = .preferred) throws(Errno) {
    monitor = try UdevMonitor(subsystems: [Self.inputSubsystem, Self.classSubsystem], source: source)
  }

  /// For the event loop; readable when ``receive()`` has events.
  package var rawDescriptor: CInt { monitor.rawDescriptor }

  /// The present input devices, in the order of their paths in sysfs. Does not require a monitor.
  ///
  /// udev may not have processed a device yet, for instance at boot; an event follows when it has.
  package static func devices() throws(Errno) -> [DeviceIdentity] {
    guard let udev = unsafe udev_new() else { throw .current }
    defer { unsafe udev_unref(udev) }
    guard let enumeration = unsafe udev_enumerate_new(udev) else { throw .current }
    defer { unsafe udev_enumerate_unref(enumeration) }
    try Errno.check(status: unsafe udev_enumerate_add_match_subsystem(enumeration, inputSubsystem))
    try Errno.check(status: unsafe udev_enumerate_add_match_sysname(enumeration, "event*"))
    try Errno.check(status: unsafe udev_enumerate_scan_devices(enumeration))
    var devices: [DeviceIdentity] = []
    var next = unsafe udev_enumerate_get_list_entry(enumeration)
    while let entry = unsafe next {
      // nil if it was removed after the enumeration.
      if let device = unsafe UdevDevice(udev_device_new_from_syspath(udev, udev_list_entry_get_name(entry))) {
        devices.append(device.identity)
      }
      unsafe next = unsafe udev_list_entry_get_next(entry)
    }
    return devices
  }

  /// The events since the last call, in order. If there are many, only the first are returned, and the descriptor
  /// stays readable.
  ///
  /// Throws errors of the socket other than `ENOBUFS`; the monitor is then unusable.
  package func receive() throws(Errno) -> [DeviceChange] {
    var changes: [DeviceChange] = []
    for _ in 0..<Self.mostAtOnce {
      do throws(Errno) {
        guard let device = try monitor.next() else { return changes }
        if let change = change(of: device) { changes.append(change) }
      } catch .noBufferSpace {
        changes.append(.overflowed)
      }
    }
    return changes
  }

  private func change(of device: borrowing UdevDevice) -> DeviceChange? {
    if device.subsystem == Self.classSubsystem {
      let name = device.systemName
      return device.action == "remove" ? .classRemoved(name: name) : .classPresent(name: name)
    }
    guard device.systemName.hasPrefix("event") else { return nil }
    return switch device.action {
    case "remove": .removed(node: device.node)
    // The driver or the power of the device was removed; a "remove" follows if the node is removed too.
    case "unbind", "offline": nil
    default: .present(device.identity)
    }
  }
}
