internal import Glibc
package import SystemPackage

/// The reason why a command could not be started.
package struct SpawnFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path of the program; its name if it is in no directory of `PATH`.
  package let program: String
  package let errno: Errno
  /// Whether the file exists although the error is `ENOENT`.
  private let isPresent: Bool

  /// Checks whether the file exists; its file system may be slow.
  package init(program: String, errno: Errno) {
    self.program = program
    self.errno = errno
    isPresent = unsafe errno == .noSuchFileOrDirectory && program.contains("/") && access(program, F_OK) == 0
  }

  /// Whether processes, descriptors or memory have run out, so that starting the program may succeed later.
  package var isShortage: Bool { errno.isShortage }

  /// One sentence for people.
  package var description: String {
    switch errno {
    case .noSuchFileOrDirectory where !program.contains("/"): "no directory of PATH has a program \(program)"
    // The kernel returns the same error for a script whose interpreter does not exist.
    case .noSuchFileOrDirectory where isPresent:
      "\(program) names an interpreter that does not exist"
    case .noSuchFileOrDirectory: "\(program) does not exist"
    case .permissionDenied: "\(program) is not executable"
    case .execFormatError: "\(program) is not a program; a script begins with #! and its interpreter"
    default: "\(program) cannot be started: \(errno)"
    }
  }
}

/// The path of the program `name`: `name` itself if it contains a slash, otherwise the first executable file of that
/// name in the directories of `path`, which are separated by colons.
///
/// Empty directories are skipped; a shell would use the working directory for them.
func findProgram(_ name: String, path: String) throws(SpawnFailure) -> String {
  guard !name.contains("/") else { return name }
  var failure = SpawnFailure(program: name, errno: .noSuchFileOrDirectory)
  guard !name.isEmpty else { throw failure }
  for directory in path.split(separator: ":") {
    let candidate = "\(directory)/\(name)"
    guard let status = stat(at: candidate), status.st_mode & S_IFMT == S_IFREG else { continue }
    if unsafe access(candidate, X_OK) == 0 { return candidate }
    failure = SpawnFailure(program: candidate, errno: .current)
  }
  throw failure
}

/// Why the program `name`, a path or a name that is searched in `path`, cannot be started, as the rest of a sentence
/// that begins with its name; nil: it can be started, or this process may not find out. If `path` is nil, it is
/// ``RunningCommand/defaultPath``.
package func problem(ofProgram name: String, path: String?) -> String? {
  do throws(SpawnFailure) {
    let program = try findProgram(name, path: path ?? RunningCommand.defaultPath)
    guard let status = stat(at: program) else {
      return [.noSuchFileOrDirectory, .notDirectory].contains(Errno.current) ? "does not exist" : nil
    }
    guard status.st_mode & S_IFMT == S_IFREG else { return "is not a file" }
    return status.st_mode & 0o111 == 0 ? "is not executable" : nil
  } catch {
    return error.errno == .noSuchFileOrDirectory ? "is in no directory of PATH" : "is not executable"
  }
}
