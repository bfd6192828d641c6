internal import CLinux
internal import Glibc
package import SystemPackage

/// Reports events of the devices of some subsystems. The initializer starts the monitor.
@safe package final class UdevMonitor {
  /// The source of the events.
  package enum Source: String, Hashable, Sendable {
    /// udev, after its rules have given the device its group, its links and its properties.
    case udev
    /// The kernel, on machines without udev.
    case kernel

    /// udev, if it is running.
    package static var preferred: Source { unsafe access("/run/udev/control", F_OK) == 0 ? .udev : .kernel }
  }

  private let udev: OpaquePointer
  private let monitor: OpaquePointer

  /// The requested receive buffer in bytes; a smaller one is accepted, because only root may exceed `rmem_max`.
  private static var receiveBufferSize: CInt { 1 << 20 }

  /// Throws the error of opening the netlink socket, such as `EAFNOSUPPORT` in a sandbox without `AF_NETLINK`.
  package init(subsystems: [String], source: Source = .preferred) throws(Errno) {
    guard let udev = unsafe udev_new() else { throw .current }
    guard let monitor = unsafe udev_monitor_new_from_netlink(udev, source.rawValue) else {
      let error = Errno.current
      unsafe udev_unref(udev)
      throw error
    }
    unsafe self.udev = udev
    unsafe self.monitor = monitor
    // A smaller buffer works as well: ``next()`` reports if it was too small.
    _ = unsafe udev_monitor_set_receive_buffer_size(monitor, Self.receiveBufferSize)
    for subsystem in subsystems {
      try Errno.check(status: unsafe udev_monitor_filter_add_match_subsystem_devtype(monitor, subsystem, nil))
    }
    try Errno.check(status: unsafe udev_monitor_enable_receiving(monitor))
  }

  deinit {
    unsafe udev_monitor_unref(monitor)
    unsafe udev_unref(udev)
  }

  /// Readable when ``next()`` has an event.
  package var rawDescriptor: CInt { unsafe udev_monitor_get_fd(monitor) }

  /// The next event; nil: there is none at present.
  ///
  /// Throws `ENOBUFS` if the kernel dropped events; after other errors the monitor is unusable. The corresponding C function is
  /// `udev_monitor_receive_device`.
  package func next() throws(Errno) -> UdevDevice? {
    while true {
      if let device = unsafe UdevDevice(udev_monitor_receive_device(monitor)) { return device }
      switch Errno.current {
      case .interrupted: continue
      case .wouldBlock: return nil
      case let error: throw error
      }
    }
  }
}
