internal import Glibc
internal import StepperBridge
internal import StepperConfiguration
internal import Varlink

/// The files `brightness` and `max_brightness` of a backlight or a light (see Documentation/ABI/stable/sysfs-class-backlight and
/// sysfs-class-led in the kernel).
///
/// `actual_brightness` is not used: it is 0 while the screen is blanked, and with some drivers has a scale of its own.
struct BrightnessFile {
  let folder: String
  let scale: RawScale

  init(_ kind: BrightnessClass, _ name: String, _ curve: LinkConfiguration.Curve) throws(OutsideFailure) {
    folder = "/sys/class/\(kind.rawValue)/\(name)"
    guard unsafe access(folder, F_OK) == 0 else {
      throw OutsideFailure("there is no \(folder)")
    }
    let most = try Self.number(in: "\(folder)/max_brightness")
    guard most > 0, most <= RawScale.mostSpan else {
      throw OutsideFailure("\(folder)/max_brightness is \(most)")
    }
    scale = RawScale(0...most, curve == .raw ? .raw : .perceptual)
    // A brightness that cannot be written would pull the control back after each turn of it.
    guard unsafe access(path, W_OK) == 0 else { throw Self.failure("cannot be written", path) }
  }

  var path: String { "\(folder)/brightness" }

  func read() throws(OutsideFailure) -> Int { try Self.number(in: path) }

  func write(_ raw: Int) throws(OutsideFailure) {
    let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.failure("cannot be written", path) }
    defer { close(descriptor) }
    let text = "\(raw)\n"
    guard unsafe Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count else {
      throw Self.failure("cannot be set to \(raw)", path)
    }
  }

  private static func number(in path: String) throws(OutsideFailure) -> Int {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("cannot be read", path) }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 64)
    let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
    guard count >= 0 else { throw failure("cannot be read", path) }
    let text = OutsideText.shown(buffer.prefix(count))
    guard let number = text.split(whereSeparator: \.isWhitespace).first.flatMap({ Int($0) }), number >= 0
    else {
      throw OutsideFailure("\(path) has no number")
    }
    return number
  }

  static func isGone(_ folder: String) -> OutsideFailure { OutsideFailure("\(folder) is gone") }

  private static func failure(_ what: String, _ path: String) -> OutsideFailure {
    let error = errno
    if error == ENOENT || error == ENODEV {
      return isGone(String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex)))
    }
    let reason =
      switch error {
      case EACCES, EPERM: "permission denied; see stepperd-link(8)"
      case EROFS: "it is read-only for this service; see stepperd-link(8)"
      default: "error \(error)"
      }
    return OutsideFailure("\(path) \(what): \(reason)")
  }
}
