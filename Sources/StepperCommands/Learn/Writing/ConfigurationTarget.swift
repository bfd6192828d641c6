internal import Glibc
internal import StepperLinux
internal import StepperCore
internal import SystemPackage

/// The configuration file that is changed.
struct ConfigurationTarget {
  /// From the root directory.
  let path: String
  /// Its content when it was read; nil: the file does not exist.
  let bytes: [UInt8]?
  /// Where a symbolic link leads.
  private let resolved: String

  init(path: String) throws(CommandFailure) {
    let path = Self.absolute(path)
    self.path = path
    guard unsafe access(path, F_OK) == 0 else {
      var status = stat()
      guard unsafe lstat(path, &status) != 0 else {
        throw CommandFailure("\(path) is a symbolic link to a file that does not exist")
      }
      (resolved, bytes) = (path, nil)
      return
    }
    guard let real = realPath(path) else {
      throw CommandFailure("cannot read \(path): \(Errno(rawValue: errno))")
    }
    resolved = real
    bytes = try ConfigurationArgument(path).bytes()
  }

  /// As it is if the working directory was removed.
  private static func absolute(_ path: String) -> String {
    guard let directory = unsafe getcwd(nil, 0) else { return path }
    defer { unsafe free(directory) }
    return unsafe FilePath(platformString: directory).pushing(FilePath(path)).string
  }

  /// Whether it is the file at `other`, by whatever path.
  func isFile(at other: String) -> Bool { realPath(path) == realPath(other) }

  private var folder: FilePath { FilePath(resolved).removingLastComponent() }

  /// The reason why it cannot be written; nil if it can.
  var obstacle: String? {
    if bytes != nil {
      guard unsafe access(resolved, W_OK) == 0 else {
        return "\(path) cannot be written: \(Errno(rawValue: errno))"
      }
      guard unsafe access(folder.string, W_OK | X_OK) == 0 else {
        return "\(folder), where \(path) is, cannot be written: \(Errno(rawValue: errno))"
      }
      return nil
    }
    var parent = folder
    while unsafe access(parent.string, F_OK) != 0, !parent.components.isEmpty { parent.removeLastComponent() }
    guard unsafe access(parent.string, W_OK | X_OK) == 0 else {
      return "\(path) cannot be created: \(parent): \(Errno(rawValue: errno))"
    }
    return nil
  }

  /// Replaces the file in one step; it keeps its mode and owner, and the former content is in a new file beside it with
  /// the same ones, whose path is returned. Signals that end the program wait until it is done. The file is unchanged if that throws.
  func write(_ new: [UInt8]) throws(CommandFailure) -> String? {
    do {
      return try withoutSignals {
        guard bytes != nil else {
          try createDirectory(
            folder, permissions: [.ownerReadWriteExecute, .groupReadExecute, .otherReadExecute])
          try ReplacedFile(path: resolved).write(new, mode: 0o644)
          return nil
        }
        guard try ConfigurationArgument(path).bytes() == bytes else {
          throw CommandFailure("\(path) was changed by another program meanwhile; nothing was written")
        }
        var status = stat()
        guard unsafe stat(resolved, &status) == 0 else { throw Errno(rawValue: errno) }
        let (mode, owner) = (status.st_mode & 0o7777, (status.st_uid, status.st_gid))
        let backup = try saveFormer(mode: mode, owner: owner)
        do {
          try ReplacedFile(path: resolved).write(new, mode: mode, owner: owner)
        } catch {
          unsafe unlink(backup)
          throw error
        }
        return backup
      }
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw CommandFailure("cannot write \(path): \(error)")
    }
  }

  /// Undoes ``write(_:)``.
  func restore(from backup: String?) throws(Errno) {
    let result = if let backup { unsafe rename(backup, resolved) } else { unsafe unlink(resolved) }
    guard result == 0 else { throw Errno(rawValue: errno) }
  }

  // MARK: Steps

  private func withoutSignals<Result>(_ body: () throws -> Result) throws -> Result {
    var (signals, former) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP] { unsafe sigaddset(&signals, signal) }
    unsafe pthread_sigmask(SIG_BLOCK, &signals, &former)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &former, nil) }
    return try body()
  }

  /// `stepperd.toml.bak-20261122-160557`, or with `-2` … behind it.
  private func saveFormer(mode: mode_t, owner: (uid_t, gid_t)) throws -> String {
    let base = "\(resolved).bak-\(Self.date)"
    for number in 1...99 {
      let name = number == 1 ? base : "\(base)-\(number)"
      do {
        try ReplacedFile(path: name).create(bytes ?? [], mode: mode, owner: owner)
        return name
      } catch Errno.fileExists {
        continue
      }
    }
    throw Errno.fileExists
  }

  /// `20261122-160557`, local time.
  private static var date: String {
    var now = time_t()
    unsafe time(&now)
    var parts = unsafe tm()
    unsafe localtime_r(&now, &parts)
    let date = unsafe [parts.tm_mon + 1, parts.tm_mday].map { $0.digits(2) }.joined()
    let time = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec].map { $0.digits(2) }.joined()
    return unsafe "\(parts.tm_year + 1900)\(date)-\(time)"
  }
}
