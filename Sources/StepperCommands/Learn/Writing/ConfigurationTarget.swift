internal import Glibc
internal import StepperLinux
internal import StepperCore
internal import SystemPackage

/// The configuration file that is changed.
struct ConfigurationTarget {
  /// The absolute path.
  let path: String
  /// The content of the file when it was read; nil if the file does not exist.
  let bytes: [UInt8]?
  private let file: ReplacedFile

  init(path: String) throws(CommandFailure) {
    let path = Self.absolute(path)
    self.path = path
    do throws(FileFailure) { file = try ReplacedFile(FilePath(path)) } catch {
      throw CommandFailure("\(error)")
    }
    bytes = file.exists ? try ConfigurationArgument(path).bytes() : nil
  }

  /// The absolute form of `path`; `path` unchanged if the working directory was removed.
  private static func absolute(_ path: String) -> String {
    guard let directory = unsafe getcwd(nil, 0) else { return path }
    defer { unsafe free(directory) }
    return unsafe FilePath(platformString: directory).pushing(FilePath(path)).string
  }

  /// Whether this is the same file as the one at `other`, even by a different path.
  func isFile(at other: String) -> Bool { realPath(path) == realPath(other) }

  private var folder: FilePath { file.path.removingLastComponent() }

  /// The reason why the file cannot be written; nil if it can.
  var obstacle: String? {
    if bytes != nil {
      guard unsafe access(file.path.string, W_OK) == 0 else {
        return "\(path) cannot be written: \(Errno(rawValue: errno))"
      }
      guard unsafe access(folder.string, W_OK | X_OK) == 0 else {
        return "\(folder), where \(path) is, cannot be written: \(Errno(rawValue: errno))"
      }
      return file.isMountPoint ? "\(path) is mounted alone, so it cannot be replaced" : nil
    }
    var parent = folder
    while unsafe access(parent.string, F_OK) != 0, !parent.components.isEmpty { parent.removeLastComponent() }
    guard unsafe access(parent.string, W_OK | X_OK) == 0 else {
      return "\(path) cannot be created: \(parent): \(Errno(rawValue: errno))"
    }
    return nil
  }

  /// Replaces the file in one step. The former content is saved in a new file beside it, whose path is returned. Both
  /// have the attributes of the former file. Signals that end the program are delayed until the function returns. If it
  /// throws, the file is unchanged.
  func write(_ new: [UInt8]) throws(CommandFailure) -> String? {
    do {
      return try withoutSignals {
        let permissions: FilePermissions = [.ownerReadWrite, .groupRead, .otherRead]
        guard let bytes else {
          try createDirectory(
            folder, permissions: [.ownerReadWriteExecute, .groupReadExecute, .otherReadExecute])
          try file.write(new, permissions: permissions)
          return nil
        }
        guard try ConfigurationArgument(path).bytes() == bytes else {
          throw CommandFailure("\(path) was changed by another program meanwhile; nothing was written")
        }
        let backup = try saveFormer(bytes)
        do {
          try file.write(new, permissions: permissions)
        } catch {
          removeFile(backup)
          throw error
        }
        return backup.string
      }
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw CommandFailure("\(error)")
    }
  }

  /// Undoes ``write(_:)``.
  func restore(from backup: String?) throws(Errno) {
    let path = file.path.string
    let result = if let backup { unsafe rename(backup, path) } else { unsafe unlink(path) }
    try Errno.check(result)
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

  /// Saves the former content as `stepperd.toml.bak-20261122-160557`; if that name is taken, with `-2` and so on
  /// appended.
  private func saveFormer(_ bytes: [UInt8]) throws(FileFailure) -> FilePath {
    let base = "\(file.path).bak-\(Self.date)"
    var number = 1
    while true {
      let copy = FilePath(number == 1 ? base : "\(base)-\(number)")
      do throws(FileFailure) {
        try file.createCopy(copy, bytes)
        return copy
      } catch  where error.errno == .fileExists && number < 99 {
        number += 1
      }
    }
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
