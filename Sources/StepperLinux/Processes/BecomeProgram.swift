internal import CLinux
internal import Glibc
internal import SystemPackage

/// The descriptor by which ``Coprocess`` notices that another program has taken the place of the one it has started.
private let loadingDescriptor: CInt = 3

/// Has `arguments[0]`, a path or a name that is searched in `PATH`, take the place of this program, with its environment as it
/// is. Ignored signals are as usual again. Throws if it cannot be loaded.
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

/// Names this process `name`, where it was started by another name, and has the kernel kill it when its parent ends, which has
/// started it as a ``Coprocess``.
package func serveParent(as name: String) {
  _ = fcntl(loadingDescriptor, F_SETFD, FD_CLOEXEC)
  unsafe name_process(name)
  end_with_parent()
}
