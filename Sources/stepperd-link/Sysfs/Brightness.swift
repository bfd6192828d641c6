internal import CLinks
internal import Glibc
internal import StepperBridge
internal import StepperConfiguration
internal import StepperLinux
internal import SystemPackage

/// The sysfs class of a brightness.
enum BrightnessClass: String, Hashable, Sendable {
  case backlight
  case leds
}

/// A brightness. inotify reports writes by other programs, and udev reports changes by the firmware.
final class Brightness: PolledOutside {
  private let name: String
  private let file: BrightnessFile
  private let monitor: UdevMonitor
  private let writes: CInt

  init(
    _ kind: BrightnessClass, _ name: String, _ curve: LinkConfiguration.Curve
  ) throws(OutsideFailure) {
    self.name = name
    file = try BrightnessFile(kind, name, curve)
    do throws(Errno) {
      monitor = try UdevMonitor(subsystems: [kind.rawValue])
    } catch {
      // The same advice as the daemon gives about its own monitor.
      let advice =
        error == .addressFamilyNotSupported
        ? "; the service needs AF_NETLINK in RestrictAddressFamilies=" : ""
      throw OutsideFailure("udev's events cannot be received: \(error)\(advice)")
    }
    writes = inotify_init1(CInt(IN_CLOEXEC | IN_NONBLOCK))
    watchWrites()
  }

  /// Watches the file that is there now. Without inotify, only udev reports changes.
  private func watchWrites() {
    if writes >= 0 { _ = unsafe inotify_add_watch(writes, file.path, UInt32(IN_MODIFY | IN_DELETE_SELF)) }
  }

  deinit { if writes >= 0 { close(writes) } }

  var scale: RawScale { file.scale }

  func descriptors() -> [pollfd] {
    [monitor.rawDescriptor, writes].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
  }

  func place() throws(OutsideFailure) -> Double { scale.place(try file.read()) }

  func set(_ place: Double) throws(OutsideFailure) { try file.write(scale.raw(place)) }

  func takeEvents(_ polled: inout [pollfd]) throws(OutsideFailure) -> Bool {
    let isChanged = polled[0].revents != 0 ? try takeEvents() : false
    return polled[1].revents != 0 ? takeWrites() || isChanged : isChanged
  }

  /// The most events that are handled at a time.
  private static let mostEvents = 64

  /// Whether one of udev's events concerns this brightness, or may have done so.
  private func takeEvents() throws(OutsideFailure) -> Bool {
    var isChanged = false
    for _ in 0..<Self.mostEvents {
      let isRemoved: Bool
      do throws(Errno) {
        guard let device = try monitor.next() else { break }
        guard device.systemName == name else { continue }
        isRemoved = device.action == "remove"
      } catch {
        guard error == .noBufferSpace else {
          throw OutsideFailure("udev's events cannot be received any more: \(error)")
        }
        // The kernel has dropped events. Among them, the device may have been removed and added.
        watchWrites()
        isChanged = true
        continue
      }
      if isRemoved { throw BrightnessFile.isGone(file.folder) }
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
