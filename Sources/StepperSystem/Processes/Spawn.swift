internal import CLinux
internal import Glibc
internal import SystemPackage

/// Starts `program`; returns its process ID, which is also that of its process group and session.
///
/// It starts in `/` with `input`, by default `/dev/null`, and `output` as its outputs, without other descriptors, and
/// without blocked or ignored signals. `error` takes the place of `output` for its errors. The corresponding C function
/// is `posix_spawn`.
func spawn(
  _ program: String, _ arguments: [String], _ environment: [String: String], input: CInt? = nil, output: CInt,
  error: CInt? = nil
) throws(Errno) -> pid_t {
  var actions = unsafe posix_spawn_file_actions_t()
  try checkNumber(unsafe posix_spawn_file_actions_init(&actions))
  defer { unsafe posix_spawn_file_actions_destroy(&actions) }
  // `output` first: it may itself be 0 if the daemon was started with its input closed.
  try checkNumber(unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO))
  try checkNumber(unsafe posix_spawn_file_actions_adddup2(&actions, error ?? output, STDERR_FILENO))
  if let input {
    try checkNumber(unsafe posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO))
  } else {
    try checkNumber(
      unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0))
  }
  // Descriptors of this program are closed on exec anyway; this closes those of libraries.
  try checkNumber(unsafe posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1))
  try checkNumber(unsafe posix_spawn_file_actions_addchdir_np(&actions, "/"))

  var attributes = posix_spawnattr_t()
  try checkNumber(unsafe posix_spawnattr_init(&attributes))
  defer { unsafe posix_spawnattr_destroy(&attributes) }
  var none = sigset_t()
  var all = sigset_t()
  unsafe sigemptyset(&none)
  unsafe sigfillset(&all)
  unsafe posix_spawnattr_setsigmask(&attributes, &none)
  unsafe posix_spawnattr_setsigdefault(&attributes, &all)
  // A separate session, so that the terminal of the daemon neither stops nor interrupts it.
  let flags = POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
  unsafe posix_spawnattr_setflags(&attributes, Int16(flags))

  var vector = unsafe arguments.map { unsafe strdup($0) } + [nil]
  defer { unsafe vector.forEach { unsafe free($0) } }
  var variables = unsafe environment.map { unsafe strdup("\($0)=\($1)") } + [nil]
  defer { unsafe variables.forEach { unsafe free($0) } }
  var process: pid_t = 0
  try checkNumber(unsafe posix_spawn(&process, program, &actions, &attributes, &vector, &variables))
  return process
}

/// These functions return the number of the error instead of setting `errno`.
private func checkNumber(_ number: CInt) throws(Errno) {
  guard number == 0 else { throw Errno(rawValue: number) }
}
