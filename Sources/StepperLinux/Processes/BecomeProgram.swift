internal import CLinux
internal import Glibc
internal import SystemPackage

/// A descriptor of the child. It tells ``Coprocess`` that another program has replaced the one that it started.
private let loadingDescriptor: CInt = 3

/// Replaces this program by `arguments[0]`, a path or a name that is searched in `PATH`, and keeps the environment.
/// Ignored signals are reset to their defaults. Throws if the program cannot be loaded.
package func becomeProgram(_ arguments: [String]) throws(SpawnFailure) {
  let program = try findProgram(
    arguments.first ?? "", path: environmentVariable("PATH") ?? RunningCommand.defaultPath)
  for number in 1..<32 as Range<CInt> { signal(number, SIG_DFL) }
  var vector = unsafe arguments.map { unsafe strdup($0) } + [nil]
  _ = unsafe execve(program, &vector, environ)
  let failure = Errno.current
  _ = unsafe write(loadingDescriptor, "!", 1)
  throw SpawnFailure(program: program, errno: failure)
}

/// Sets the name of this process to `name`, if it was started by another name, and makes the kernel kill it when its
/// parent ends. The parent has started it as a ``Coprocess``.
package func serveParent(as name: String) {
  _ = fcntl(loadingDescriptor, F_SETFD, FD_CLOEXEC)
  unsafe name_process(name)
  end_with_parent()
}
