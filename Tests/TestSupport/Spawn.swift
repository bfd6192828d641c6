package import Glibc

/// A pair of sockets, since those can be made close-on-exec from the start: beds start in parallel, and none
/// may inherit another's ends.
package func makePipe() throws -> (read: CInt, write: CInt) {
  var ends: [CInt] = [-1, -1]
  let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
  guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw TestFailure("no pipe: errno \(errno)") }
  return (ends[0], ends[1])
}

/// Starts a program whose descriptors 0, 1, … are `descriptors`. `environment` is all of it; nil: the test's own.
///
/// It starts with no signal blocked and none ignored: a test runs with signals blocked, a child would inherit
/// that and not hear `SIGTERM`.
package func spawn(_ arguments: [String], descriptors: [CInt], environment: [String: String]? = nil) throws
  -> pid_t
{
  var actions = unsafe posix_spawn_file_actions_t()
  unsafe posix_spawn_file_actions_init(&actions)
  defer { unsafe posix_spawn_file_actions_destroy(&actions) }
  for (target, descriptor) in descriptors.enumerated() {
    // Away from the targets first, so that none of them is overwritten before it is copied.
    unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, 1000 + CInt(target))
  }
  for target in descriptors.indices {
    unsafe posix_spawn_file_actions_adddup2(&actions, 1000 + CInt(target), CInt(target))
    unsafe posix_spawn_file_actions_addclose(&actions, 1000 + CInt(target))
  }

  var attributes = posix_spawnattr_t()
  unsafe posix_spawnattr_init(&attributes)
  defer { unsafe posix_spawnattr_destroy(&attributes) }
  var none = sigset_t()
  var all = sigset_t()
  unsafe sigemptyset(&none)
  unsafe sigfillset(&all)
  unsafe posix_spawnattr_setsigmask(&attributes, &none)
  unsafe posix_spawnattr_setsigdefault(&attributes, &all)
  unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

  var vector = unsafe arguments.map { unsafe strdup($0) } + [nil]
  defer { unsafe vector.forEach { unsafe free($0) } }
  var process: pid_t = 0
  var variables = unsafe (environment ?? [:]).map { unsafe strdup("\($0)=\($1)") } + [nil]
  defer { unsafe variables.forEach { unsafe free($0) } }
  let error =
    if environment == nil {
      unsafe posix_spawnp(&process, arguments[0], &actions, &attributes, &vector, environ)
    } else {
      unsafe posix_spawnp(&process, arguments[0], &actions, &attributes, &vector, &variables)
    }
  guard error == 0 else { throw TestFailure("cannot start \(arguments[0]): errno \(error)") }
  return process
}
