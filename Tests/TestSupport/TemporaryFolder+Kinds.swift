import Glibc

extension TemporaryFolder {
  /// What may stand where a file is expected.
  package enum Kind: String, Sendable {
    case directory, fifo
    /// A link to the file `target` in the folder.
    case link
    /// A link to nothing.
    case dangling
    /// A link to a device that never ends. Only for what reads: who replaced it as root would break the machine.
    case device

    /// Those that anything may be done to.
    package static let all: [Kind] = [.directory, .fifo, .link, .dangling]
  }

  /// Puts something that is no file at `name`.
  package func make(_ kind: Kind, at name: String) throws {
    let path = "\(path)/\(name)"
    let result =
      switch kind {
      case .directory: unsafe mkdir(path, 0o700)
      case .fifo: unsafe mkfifo(path, 0o600)
      case .link: unsafe symlink("\(self.path)/target", path)
      case .dangling: unsafe symlink("nothing", path)
      case .device: unsafe symlink("/dev/zero", path)
      }
    guard result == 0 else { throw TestFailure("cannot make \(path): errno \(errno)") }
  }

  /// Removes what is at `name`, if there is anything; a directory must be empty.
  package func remove(_ name: String) {
    _ = unsafe Glibc.remove("\(path)/\(name)")
  }

  /// Moves what is at `name` to `newName`, in place of what is there.
  package func rename(_ name: String, to newName: String) throws {
    guard unsafe Glibc.rename("\(path)/\(name)", "\(path)/\(newName)") == 0 else {
      throw TestFailure("cannot rename \(path)/\(name): errno \(errno)")
    }
  }

  /// Appends to an existing file, without replacing it.
  package func append(_ text: String, to name: String) throws {
    let file = unsafe open("\(path)/\(name)", O_WRONLY | O_APPEND | O_CLOEXEC)
    defer { close(file) }
    var bytes = Array(text.utf8)
    guard unsafe Glibc.write(file, &bytes, bytes.count) == bytes.count else {
      throw TestFailure("cannot append to \(path)/\(name): errno \(errno)")
    }
  }

  /// The inode and mode of what is at `name`, without following a link; nil: there is nothing.
  package func identity(of name: String) -> [UInt64]? {
    var status = stat()
    guard unsafe lstat("\(path)/\(name)", &status) == 0 else { return nil }
    return [UInt64(status.st_ino), UInt64(status.st_mode)]
  }

  /// The permission bits of what is at `name`.
  package func permissions(of name: String) -> UInt64? { identity(of: name).map { $0[1] & 0o7777 } }
}
