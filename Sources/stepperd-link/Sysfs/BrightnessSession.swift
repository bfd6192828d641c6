internal import CLinks
internal import Glibc
internal import StepperBridge
internal import Varlink

extension ThreadedOutside {
  /// The brightness of `name` of the class, on `curve`.
  package static func brightness(_ kind: BrightnessClass, _ name: String, _ curve: RawCurve)
    -> ThreadedOutside
  {
    ThreadedOutside { port throws(OutsideFailure) in try BrightnessSession(kind, name, curve, port).run() }
  }
}

/// A brightness, on one thread. Other programs' writes are heard of from inotify, changes by the firmware from udev.
@safe private final class BrightnessSession {
  private let kind: BrightnessClass
  private let name: String
  private let port: OutsidePort
  private let file: BrightnessFile
  private let udev: OpaquePointer
  private let monitor: OpaquePointer
  private let writes: CInt
  private var pace = LookPace()

  init(
    _ kind: BrightnessClass, _ name: String, _ curve: RawCurve, _ port: OutsidePort
  ) throws(OutsideFailure) {
    (self.kind, self.name, self.port) = (kind, name, port)
    file = try BrightnessFile(kind, name, curve)
    guard let udev = unsafe udev_new() else { throw OutsideFailure("there is no memory left") }
    let hasUdev = unsafe access("/run/udev/control", F_OK) == 0
    guard let monitor = unsafe udev_monitor_new_from_netlink(udev, hasUdev ? "udev" : "kernel"),
      unsafe udev_monitor_filter_add_match_subsystem_devtype(monitor, kind.rawValue, nil) >= 0,
      unsafe udev_monitor_enable_receiving(monitor) >= 0
    else {
      unsafe udev_unref(udev)
      throw OutsideFailure("udev's events cannot be received: error \(errno)")
    }
    unsafe (self.udev, self.monitor) = (udev, monitor)
    writes = inotify_init1(CInt(IN_CLOEXEC | IN_NONBLOCK))
    // Without it only udev's events are heard.
    if writes >= 0 { _ = unsafe inotify_add_watch(writes, file.path, UInt32(IN_MODIFY)) }
  }

  deinit {
    if writes >= 0 { close(writes) }
    unsafe udev_monitor_unref(monitor)
    unsafe udev_unref(udev)
  }

  func run() throws(OutsideFailure) {
    port.report(.terms(file.scale.terms))
    try report()
    var polled = [
      pollfd(fd: port.wakeDescriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: unsafe udev_monitor_get_fd(monitor), events: Int16(POLLIN), revents: 0),
      pollfd(fd: writes, events: Int16(POLLIN), revents: 0),
    ]
    while !port.isEnded {
      let pause = pace.pause()
      // What the kernel keeps meanwhile is bounded.
      _ = unsafe poll(&polled, pause == nil ? nfds_t(polled.count) : 1, pause ?? -1)
      if polled[0].revents != 0 { port.takeWakeup() }
      var isChanged = false
      if pause == nil {
        isChanged = polled[1].revents != 0 ? try takeEvents() : false
        if polled[2].revents != 0 { isChanged = takeWrites() || isChanged }
      }
      if let place = port.takeWrite() {
        try file.write(file.scale.raw(place))
        port.finishWrite()
        isChanged = true
      }
      if isChanged { try report() }
    }
  }

  private func report() throws(OutsideFailure) {
    port.report(.value(file.scale.place(try file.read())))
    pace.looked()
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
        throw OutsideFailure("\(file.folder) is gone")
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
