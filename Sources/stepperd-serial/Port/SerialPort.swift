internal import Glibc
internal import StepperConfiguration
internal import StepperLinux
internal import SystemPackage
internal import Varlink

/// An open serial line: raw, for this program alone.
final class SerialPort {
  private let descriptor: OwnedFileDescriptor

  var rawDescriptor: CInt { descriptor.rawValue }

  private init(_ descriptor: consuming OwnedFileDescriptor) { self.descriptor = descriptor }

  /// A board that does not read has what it was told in the kernel, which would wait for it when the port is closed: 30 seconds.
  deinit { tcflush(rawDescriptor, TCOFLUSH) }

  /// Why a port is not open, for people.
  struct Failure: Error, Hashable {
    let reason: String
    /// Whether it only is not there, which it may be at any time.
    var isAbsence = false
  }

  /// Opens it with these settings. A kernel raises DTR when a port is opened, which resets some boards; it stays raised when
  /// the port is closed, so that the next time resets none.
  static func open(_ settings: SerialConfiguration) throws(Failure) -> SerialPort {
    let path = settings.port
    let number = unsafe Glibc.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else { throw failure(of: Errno.current, path) }
    let descriptor = OwnedFileDescriptor(owning: number)
    var state = termios()
    guard unsafe tcgetattr(number, &state) == 0 else { throw Failure(reason: "is no serial port") }
    guard !isConsole(path) else {
      throw Failure(reason: "is a console of this machine, whose messages a board would take for its own")
    }
    // Others may have taken it in one of two ways.
    guard flock(number, LOCK_EX | LOCK_NB) == 0, ioctl(number, UInt(TIOCEXCL), 0) == 0 else {
      throw failure(of: .resourceBusy, path)
    }
    unsafe cfmakeraw(&state)
    // That leaves as they were: flow control, and the stop bits.
    state.c_iflag &= ~tcflag_t(IXOFF | IXANY)
    state.c_cflag |= tcflag_t(CLOCAL | CREAD)
    state.c_cflag &= ~(tcflag_t(HUPCL | CSTOPB) | tcflag_t(CRTSCTS))
    unsafe cfsetspeed(&state, speed(settings.baud))
    guard unsafe tcsetattr(number, TCSANOW, &state) == 0, tcflush(number, TCIOFLUSH) == 0 else {
      throw Failure(reason: "does not take \(settings.baud.rawValue) baud: \(Errno.current)")
    }
    if settings.isReset { reset(number) }
    return SerialPort(descriptor)
  }

  private static func failure(of error: Errno, _ path: String) -> Failure {
    switch error {
    case .noSuchFileOrDirectory, .noSuchAddressOrDevice, .operationNotSupportedByDevice:
      Failure(reason: "is not plugged in", isAbsence: true)
    case .permissionDenied:
      Failure(
        reason: "may not be opened by this user; add it to the group of the port, which is dialout on Debian")
    // By the unit, whose devices are a list.
    case .notPermitted:
      Failure(
        reason:
          """
          is none of the devices of the service; restart the service, and if that is not enough, add it with: systemctl edit \
          stepperd-serial, with DeviceAllow=\(path) rw below [Service]
          """
      )
    case .resourceBusy: Failure(reason: "is in use by another program; see which with: fuser -v \(path)")
    default: Failure(reason: "cannot be opened: \(error)")
    }
  }

  /// Whether the kernel writes its messages there, or a person sits at it.
  private static func isConsole(_ path: String) -> Bool {
    guard let path = realPath(path) else { return false }
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    // Without the file there is no console.
    let active = (try? SmallFile(FilePath("/sys/class/tty/console/active")).read(limit: 4_096)) ?? nil
    let consoles = active.map(OutsideText.shown)?.split { $0 == " " || $0 == "\n" } ?? []
    let isVirtual = name.hasPrefix("tty") && (name.count == 3 || name.dropFirst(3).allSatisfy(\.isNumber))
    return isVirtual || name == "console" || consoles.contains { $0 == name }
  }

  private static func speed(_ baud: SerialConfiguration.Baud) -> speed_t {
    switch baud {
    case .b9600: speed_t(B9600)
    case .b19200: speed_t(B19200)
    case .b38400: speed_t(B38400)
    case .b57600: speed_t(B57600)
    case .b115200: speed_t(B115200)
    case .b230400: speed_t(B230400)
    case .b460800: speed_t(B460800)
    case .b921600: speed_t(B921600)
    }
  }

  /// Lowers DTR and raises it again, as the tools do that write programs to boards. A port without that line has none.
  private static func reset(_ descriptor: CInt) {
    var line = TIOCM_DTR
    _ = unsafe ioctl(descriptor, UInt(TIOCMBIC), &line)
    usleep(50_000)
    _ = unsafe ioctl(descriptor, UInt(TIOCMBIS), &line)
  }

  /// What has come, at most 1 KiB: nil: nothing more at present. Throws when it is unplugged.
  func read() throws(Failure) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 1_024)
    let count = unsafe Glibc.read(rawDescriptor, &bytes, bytes.count)
    if count > 0 { return Array(bytes.prefix(count)) }
    if count < 0, [.wouldBlock, .interrupted].contains(Errno.current) { return nil }
    throw Failure(reason: "was unplugged", isAbsence: true)
  }

  /// Returns how many bytes the line has taken.
  func write(_ bytes: ArraySlice<UInt8>) throws(Failure) -> Int {
    let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(rawDescriptor, $0.baseAddress, $0.count) }
    if count >= 0 { return count }
    if [.wouldBlock, .interrupted].contains(Errno.current) { return 0 }
    throw Failure(reason: "was unplugged", isAbsence: true)
  }
}
