internal import CLinks
internal import Glibc
internal import StepperBridge
internal import StepperConfiguration
internal import SystemPackage
internal import Varlink

/// The class of a brightness in sysfs.
enum BrightnessClass: String, Hashable, Sendable {
  case backlight
  case leds
}

/// A brightness. Writes of other programs are reported by inotify, changes by the firmware by udev.
@safe final class Brightness: PolledOutside {
  private let name: String
  private let file: BrightnessFile
  private let udev: OpaquePointer
  private let monitor: OpaquePointer
  private let writes: CInt

  init(
    _ kind: BrightnessClass, _ name: String, _ curve: LinkConfiguration.Curve
  ) throws(OutsideFailure) {
    self.name = name
    file = try BrightnessFile(kind, name, curve)
    guard let udev = unsafe udev_new() else { throw OutsideFailure("there is no memory left") }
    let hasUdev = unsafe access("/run/udev/control", F_OK) == 0
    guard let monitor = unsafe udev_monitor_new_from_netlink(udev, hasUdev ? "udev" : "kernel"),
      unsafe udev_monitor_filter_add_match_subsystem_devtype(monitor, kind.rawValue, nil) >= 0,
      unsafe udev_monitor_enable_receiving(monitor) >= 0
    else {
      let error = Errno(rawValue: errno)
      unsafe udev_unref(udev)
      // As the daemon says it of its own monitor.
      let advice =
        error == .addressFamilyNotSupported
        ? "; the service needs AF_NETLINK in RestrictAddressFamilies=" : ""
      throw OutsideFailure("udev's events cannot be received: \(error)\(advice)")
    }
    unsafe (self.udev, self.monitor) = (udev, monitor)
    writes = inotify_init1(CInt(IN_CLOEXEC | IN_NONBLOCK))
    // Without it only udev reports changes.
    if writes >= 0 { _ = unsafe inotify_add_watch(writes, file.path, UInt32(IN_MODIFY | IN_DELETE_SELF)) }
  }

  deinit {
    if writes >= 0 { close(writes) }
    unsafe udev_monitor_unref(monitor)
    unsafe udev_unref(udev)
  }

  var scale: RawScale { file.scale }

  func descriptors() -> [pollfd] {
    [unsafe udev_monitor_get_fd(monitor), writes].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
  }

  func place() throws(OutsideFailure) -> Double { scale.place(try file.read()) }

  func set(_ place: Double) throws(OutsideFailure) { try file.write(scale.raw(place)) }

  func takeEvents(_ polled: inout [pollfd]) throws(OutsideFailure) -> Bool {
    let isChanged = polled[0].revents != 0 ? try takeEvents() : false
    return polled[1].revents != 0 ? takeWrites() || isChanged : isChanged
  }

  /// Events that are taken at a time.
  private static let mostEvents = 64

  /// Whether one of udev's events is about it.
  private func takeEvents() throws(OutsideFailure) -> Bool {
    var isChanged = false
    for _ in 0..<Self.mostEvents {
      guard let device = unsafe udev_monitor_receive_device(monitor) else { break }
      defer { unsafe udev_device_unref(device) }
      guard let found = unsafe udev_device_get_sysname(device), unsafe OutsideText.shown(found) == name else {
        continue
      }
      if let action = unsafe udev_device_get_action(device), unsafe OutsideText.shown(action) == "remove" {
        throw BrightnessFile.isGone(file.folder)
      }
      isChanged = true
    }
    return isChanged
  }

  private func takeWrites() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    var isChanged = false
    for _ in 0..<Self.mostEvents where unsafe read(writes, &buffer, buffer.count) > 0 { isChanged = true }
    return isChanged
  }
}
