internal import CEvdev
internal import Glibc
import StepperCore
package import StepperDevices
internal import StepperSystem
package import SystemPackage

/// What ``DeviceMonitor`` tells.
package enum DeviceChange: Hashable, Sendable {
  /// The device is there, or is described better than before. Often told twice; the last word counts.
  case present(DeviceIdentity)
  case removed(node: String)
  /// Something of the LED class is there, or is described better than before; its name in `/sys/class/leds`.
  case classPresent(name: String)
  case classRemoved(name: String)
  /// So much happened at once that the kernel dropped part of it: enumerate anew, and take every device that
  /// is not in ``DeviceMonitor/devices()`` for removed.
  case overflowed
}

/// The input devices of the machine and what it has of the LED class, as they come and go.
///
/// The initializer already listens, so whatever comes after it is told by ``receive()``; ask ``devices()``
/// once after it for those that were there before. A device in both is told twice.
@safe package final class DeviceMonitor {
  /// Where the news come from.
  package enum Source: String, Hashable, Sendable {
    /// udev, after its rules have given the device its group, its links and its properties.
    case udev
    /// The kernel itself, on machines that run no udev.
    case kernel

    /// udev, if it runs.
    package static var preferred: Source { unsafe access("/run/udev/control", F_OK) == 0 ? .udev : .kernel }
  }

  package let source: Source
  private let udev: OpaquePointer
  private let monitor: OpaquePointer

  private static let inputSubsystem = "input"
  private static let classSubsystem = "leds"
  /// Opening a device takes some hundred requests to the kernel.
  private static let mostAtOnce = 16

  /// Bytes of news that may wait; asked for, not required, for only root may have more than `rmem_max`.
  private static var receiveBufferSize: CInt { 1 << 20 }

  /// Throws what opening the netlink socket failed with, such as `EAFNOSUPPORT` in a sandbox without
  /// `AF_NETLINK`.
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
    // A smaller buffer will do too: `overflowed` tells when it did not.
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

  /// For the event loop; readable when ``receive()`` has something to tell.
  package var rawDescriptor: CInt { unsafe udev_monitor_get_fd(monitor) }

  /// The input devices that are there now, in the order of their paths in sysfs. No monitor is needed for it.
  ///
  /// udev may not have looked at one yet, at start for instance; it is told again when it has.
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
      // None if it has gone since the scan.
      if let device = unsafe UdevDevice(udev_device_new_from_syspath(udev, udev_list_entry_get_name(entry))) {
        devices.append(device.identity)
      }
      unsafe next = unsafe udev_list_entry_get_next(entry)
    }
    return devices
  }

  /// What has happened since the last call, in order; if that is very much, the first part of it, and the descriptor
  /// stays readable.
  ///
  /// Throws whatever else than `ENOBUFS` the socket fails with; the monitor is of no use then.
  /// The corresponding C function is `udev_monitor_receive_device`.
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
    // Its driver went or its power did; a "remove" follows if the node goes too.
    case "unbind", "offline": nil
    default: .present(device.identity)
    }
  }

  private static func check(_ status: CInt) throws(Errno) {
    guard status >= 0 else { throw Errno(rawValue: -status) }
  }
}
