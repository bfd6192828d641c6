internal import Glibc
internal import StepperLinux
internal import SystemPackage
internal import Varlink

/// Reads the files of a system below a directory: `/` for the running one, or a copy of another one.
///
/// Does not wait for other processes: FIFOs, sockets and devices are not opened. Symbolic links are followed by the kernel,
/// even out of the directory.
struct SystemRoot: Hashable, Sendable {
  /// The directory without a trailing slash; empty for `/`.
  private let prefix: String

  init(_ directory: String = "/") {
    var directory = directory[...]
    while directory.hasSuffix("/") { directory.removeLast() }
    prefix = String(directory)
  }

  /// Whether this is the running system, whose daemon and service manager can be called.
  var isRunning: Bool { prefix.isEmpty }

  /// The path for system calls.
  func path(_ path: String) -> String { prefix + path }

  /// The directory that contains a file.
  static func parent(of path: String) -> String {
    path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
  }

  /// The text of a file; nil if it does not exist, cannot be read, is no file, or is longer than `limit` bytes.
  func text(_ path: String, limit: Int = 4 << 20) -> String? {
    // The checks do not distinguish why a file cannot be read.
    guard let bytes = try? SmallFile(FilePath(self.path(path))).read(limit: limit) else { return nil }
    return OutsideText.shown(bytes)
  }

  /// The first line of a file without white space around it, such as an attribute of sysfs.
  func line(_ path: String) -> String? {
    text(path, limit: 4_096).map { text in
      String(text.split(whereSeparator: { $0.isNewline || $0 == "\0" }).first ?? "").trimmed
    }
  }

  /// Whether a file of at most 64 MiB contains `text`.
  func contains(_ text: String, in path: String) -> Bool {
    // As above.
    guard let bytes = try? SmallFile(FilePath(self.path(path))).read(limit: 64 << 20) else { return false }
    let wanted = Array(text.utf8)
    guard let first = wanted.first, bytes.count >= wanted.count else { return false }
    return unsafe bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return false }
      var place = 0
      while let found = unsafe memchr(start + place, CInt(first), bytes.count - wanted.count + 1 - place) {
        if unsafe memcmp(found, wanted, wanted.count) == 0 { return true }
        place = unsafe UnsafeRawPointer(found) - start + 1
      }
      return false
    }
  }

  /// The lines of a file. Empty lines are kept, so that indices correspond to line numbers.
  func lines(_ path: String) -> [String] {
    (text(path) ?? "").split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
  }

  /// The target of a symbolic link; nil if it is not one.
  func link(_ path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink(self.path(path), &buffer, buffer.count)
    return count > 0
      ? OutsideText.shown(buffer.prefix(count).map { UInt8(bitPattern: $0) }) : nil
  }

  /// The names in a directory, in order; empty if it cannot be read. At most ``mostEntries``.
  func names(_ path: String) -> [String] {
    StepperLinux.names(inDirectory: self.path(path), upTo: Self.mostEntries).sorted()
  }

  /// The status of a file, or of the target of a link; nil if it does not exist or cannot be seen.
  func status(_ path: String) -> FileStatus? { FileStatus(self.path(path)) }

  func exists(_ path: String) -> Bool { unsafe access(self.path(path), F_OK) == 0 }

  private static let mostEntries = 65_536
}
