internal import Glibc
package import SystemPackage
internal import Varlink

/// A directory of sysfs. Its files are attributes: short texts, each read or written with one system call.
///
/// The kernel applies the value before `write` returns, or queues it for a kernel worker if the hardware is slow
/// (`led_set_brightness`).
package struct AttributeDirectory: Hashable, Sendable {
  package var path: FilePath

  package init(_ path: FilePath) { self.path = path }

  func has(_ name: String) -> Bool { unsafe access(path.appending(name).string, F_OK) == 0 }

  /// Throws `EACCES` or `EROFS` if the attribute is not writable.
  func checkWritable(_ name: String) throws(Errno) {
    _ = try open(name, O_WRONLY)
  }

  /// The content of an attribute, up to `limit` bytes.
  func bytes(_ name: String, limit: Int = 4096) throws(Errno) -> [UInt8] {
    let file = try open(name, O_RDONLY)
    let (content, end) = readAll(file.rawValue, limit: limit)
    if case .failed(let error) = end { throw error }
    return content
  }

  /// The content of an attribute without the newline.
  func text(_ name: String, limit: Int = 4096) throws(Errno) -> String {
    let bytes = try bytes(name, limit: limit)
    return OutsideText.shown(bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...])
  }

  func write(_ text: String, to name: String) throws(Errno) {
    let file = try open(name, O_WRONLY | O_TRUNC)
    try writeAll(Array((text + "\n").utf8), to: file.rawValue)
  }

  private func open(_ name: String, _ flags: CInt) throws(Errno) -> OwnedFileDescriptor {
    try OwnedFileDescriptor(
      unsafe Glibc.open(path.appending(name).string, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY))
  }
}
