internal import Glibc
internal import StepperConfiguration
internal import StepperLinux
internal import SystemPackage
internal import Varlink

/// An open serial line in raw mode, which no other program can use.
final class SerialPort {
  private let descriptor: OwnedFileDescriptor

  var rawDescriptor: CInt { descriptor.rawValue }

  private init(_ descriptor: consuming OwnedFileDescriptor) { self.descriptor = descriptor }

  /// For a board that does not read, the kernel still holds the output, and would wait 30 seconds for it when the port is closed.
  deinit { tcflush(rawDescriptor, TCOFLUSH) }

  /// Why a port is not open, for people.
  struct Failure: Error, Hashable {
    let reason: String
    /// Whether the port is merely absent, which may happen at any time.
    var isAbsence = false
  }

  /// Opens the port with these settings. The kernel raises DTR when a port is opened, which resets some boards. DTR stays raised when the
  /// port is closed, so that the next opening resets no board.
  static func open(_ settings: SerialConfiguration) throws(Failure) -> SerialPort {
    let path = settings.port
    let number = unsafe Glibc.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else { throw failure(of: Errno.current, path) }
    let descriptor = OwnedFileDescriptor(owning: number)
    var state = termios()
    guard unsafe tcgetattr(number, &state) == 0 else { throw Failure(reason: "is no serial port") }
    guard !isConsole(path) else {
      throw Failure(reason: "is a console of this machine, whose messages would go to the board")
    }
    // Another program may have taken the port in either of two ways.
    guard flock(number, LOCK_EX | LOCK_NB) == 0, ioctl(number, UInt(TIOCEXCL), 0) == 0 else {
      throw failure(of: .resourceBusy, path)
    }
    unsafe cfmakeraw(&state)
    // cfmakeraw leaves flow control and the stop bits unchanged.
    state.c_iflag &= ~tcflag_t(IXOFF | IXANY)
    state.c_cflag |= tcflag_t(CLOCAL | CREAD)
    state.c_cflag &= ~(tcflag_t(HUPCL | CSTOPB) | tcflag_t(CRTSCTS))
    unsafe cfsetspeed(&state, speed(settings.baud))
    guard unsafe tcsetattr(number, TCSANOW, &state) == 0, tcflush(number, TCIOFLUSH) == 0 else {
      throw Failure(reason: "cannot be set to \(settings.baud.rawValue) baud: \(Errno.current)")
    }
    if settings.isReset { reset(number) }
    return SerialPort(descriptor)
  }

  private static func failure(of error: Errno, _ path: String) -> Failure {
    switch error {
    case .noSuchFileOrDirectory: Failure(reason: "is not plugged in", isAbsence: true)
    case .noSuchAddressOrDevice, .operationNotSupportedByDevice:
      Failure(reason: "has no device behind it, or is no serial port", isAbsence: true)
    case .permissionDenied:
      Failure(
        reason: "may not be opened by this user; add it to the group of the port, which is dialout on Debian")
    // The unit denies the device, because it lists the permitted ones.
    case .notPermitted:
      Failure(
        reason:
          """
          is not among the devices that the service may use; restart the service; if that does not help, add it with: \
          systemctl edit stepperd-serial, with DeviceAllow=\(path) rw below [Service]
          """
      )
    case .resourceBusy:
      Failure(
        reason:
          "is in use by another program, or is the port of two tables; see by which with: fuser -v \(path)")
    default: Failure(reason: "cannot be opened: \(error)")
    }
  }

  /// Whether the kernel writes its messages to the port, or a terminal login uses it.
  private static func isConsole(_ path: String) -> Bool {
    guard let path = realPath(path) else { return false }
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    // Without this file there is no console.
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

  /// Lowers DTR and raises it again, as tools do that write programs to boards. A port without a DTR line has no reset.
  private static func reset(_ descriptor: CInt) {
    var line = TIOCM_DTR
    _ = unsafe ioctl(descriptor, UInt(TIOCMBIC), &line)
    usleep(50_000)
    _ = unsafe ioctl(descriptor, UInt(TIOCMBIS), &line)
  }

  /// The bytes that have arrived, at most 1 KiB; nil: there are none at present. Throws if the port is unplugged.
  func read() throws(Failure) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 1_024)
    let count = unsafe Glibc.read(rawDescriptor, &bytes, bytes.count)
    if count > 0 { return Array(bytes.prefix(count)) }
    if count < 0, Errno.current.isLater { return nil }
    throw Failure(reason: "was unplugged", isAbsence: true)
  }

  /// Writes to the line. Returns how many bytes it has taken.
  func write(_ bytes: ArraySlice<UInt8>) throws(Failure) -> Int {
    let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(rawDescriptor, $0.baseAddress, $0.count) }
    if count >= 0 { return count }
    if Errno.current.isLater { return 0 }
    throw Failure(reason: "was unplugged", isAbsence: true)
  }
}
