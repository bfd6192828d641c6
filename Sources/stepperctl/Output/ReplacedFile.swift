internal import Glibc

/// A file that is replaced atomically: a reader sees the old content or the new.
struct ReplacedFile {
  var path: String

  /// Replaces the content. Returns the reason if that fails; the file is unchanged then.
  func write(_ text: String) -> String? {
    let temporary = "\(path).\(getpid())"
    let file = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard file >= 0 else { return reason }
    var rest = Array(text.utf8)[...]
    var problem: String?
    while !rest.isEmpty, problem == nil {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
      if count >= 0 { rest = rest.dropFirst(count) } else if errno != EINTR { problem = reason }
    }
    // close(2) may be the first call that reports a full file system.
    if close(file) != 0, problem == nil { problem = reason }
    if problem == nil, unsafe rename(temporary, path) != 0 { problem = reason }
    if problem != nil { unsafe unlink(temporary) }
    return problem
  }

  private var reason: String { unsafe String(cString: strerror(errno)) }
}
