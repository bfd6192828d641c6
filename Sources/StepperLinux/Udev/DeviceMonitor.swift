internal import CLinux
internal import Glibc
package import StepperCore
package import SystemPackage

/// An event of ``DeviceMonitor``.
package enum DeviceChange: Hashable, Sendable {
  /// A device was added, or its properties have changed. Often sent twice; the last one is valid.
  case present(DeviceIdentity)
  case removed(node: String)
  /// An LED-class device was added, or its properties have changed; its name in `/sys/class/leds`.
  case classPresent(name: String)
  case classRemoved(name: String)
  /// The kernel dropped messages: enumerate again, and treat every device that is not in ``DeviceMonitor/devices()``
  /// as removed.
  case overflowed
}

/// Reports input devices and LED-class devices of the machine that are added and removed.
///
/// The initializer starts the monitor; later events are returned by ``receive()``. Call ``devices()`` once after it
/// for existing devices. A device may be in both.
@safe package final class DeviceMonitor {
  /// The source of the events.
  package enum Source: String, Hashable, Sendable {
    /// udev, after its rules have given the device its group, its links and its properties.
    case udev
    /// The kernel, on machines without udev.
    case kernel

    /// udev, if it is running.
    package static var preferred: Source { unsafe access("/run/udev/control", F_OK) == 0 ? .udev : .kernel }
  }

  package let source: Source
  private let udev: OpaquePointer
  private let monitor: OpaquePointer

  private static let inputSubsystem = "input"
  private static let classSubsystem = "leds"
  /// The maximum for one wakeup: opening a device takes some hundred requests to the kernel.
  private static let mostAtOnce = 16

  /// The requested receive buffer in bytes; a smaller one is accepted, because only root may exceed `rmem_max`.
  private static var receiveBufferSize: CInt { 1 << 20 }

  /// Throws the error of opening the netlink socket, such as `EAFNOSUPPORT` in a sandbox without `AF_NETLINK`.
  package init(source: Source = .preferred) throws(Errno) {
    guard let udev = unsafe udev_new() else { throw .current }
    guard let monitor = unsafe udev_monitor_new_from_netlink(udev, source.rawValue) else {
      let error = Errno.current
      unsafe udev_unref(udev)
      throw error
    }
    self.source = source
    unsafe self.udev = udev
    unsafe self.monitor = monitor
    // A smaller buffer works as well: `overflowed` reports when it was too small.
    _ = unsafe udev_monitor_set_receive_buffer_size(monitor, Self.receiveBufferSize)
    for subsystem in [Self.inputSubsystem, Self.classSubsystem] {
      try Self.check(unsafe udev_monitor_filter_add_match_subsystem_devtype(monitor, subsystem, nil))
    }
    try Self.check(unsafe udev_monitor_enable_receiving(monitor))
  }

  deinit {
    unsafe udev_monitor_unref(monitor)
    unsafe udev_unref(udev)
  }

  /// For the event loop; readable when ``receive()`` has events.
  package var rawDescriptor: CInt { unsafe udev_monitor_get_fd(monitor) }

  /// The present input devices, in the order of their paths in sysfs. Does not require a monitor.
  ///
  /// udev may not have processed a device yet, for instance at boot; an event follows when it has.
  package static func devices() throws(Errno) -> [DeviceIdentity] {
    guard let udev = unsafe udev_new() else { throw .current }
    defer { unsafe udev_unref(udev) }
    guard let enumeration = unsafe udev_enumerate_new(udev) else { throw .current }
    defer { unsafe udev_enumerate_unref(enumeration) }
    try check(unsafe udev_enumerate_add_match_subsystem(enumeration, inputSubsystem))
    try check(unsafe udev_enumerate_add_match_sysname(enumeration, "event*"))
    try check(unsafe udev_enumerate_scan_devices(enumeration))
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

  /// The events since the last call, in their order. Of very many only the first are returned, and the descriptor
  /// stays readable.
  ///
  /// Throws errors of the socket other than `ENOBUFS`; the monitor is then unusable. The corresponding C function is
  /// `udev_monitor_receive_device`.
  package func receive() throws(Errno) -> [DeviceChange] {
    var changes: [DeviceChange] = []
    for _ in 0..<Self.mostAtOnce {
      if let device = unsafe UdevDevice(udev_monitor_receive_device(monitor)) {
        if let change = change(of: device) { changes.append(change) }
        continue
      }
      switch Errno.current {
      case .interrupted: continue
      case .wouldBlock: return changes
      case .noBufferSpace: changes.append(.overflowed)
      default: throw .current
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
    // Its driver or its power was removed; a "remove" follows if the node is removed too.
    case "unbind", "offline": nil
    default: .present(device.identity)
    }
  }

  private static func check(_ status: CInt) throws(Errno) {
    guard status >= 0 else { throw Errno(rawValue: -status) }
  }
}
