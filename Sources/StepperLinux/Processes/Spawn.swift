internal import CLinux
internal import Glibc
internal import SystemPackage

/// A process that was started, with this program's handle of it.
struct StartedProcess: ~Copyable, Sendable {
  /// The process ID, which is also the number of the process group and the session.
  let processID: pid_t
  /// Readable when the process has ended.
  let leader: OwnedFileDescriptor
  /// Why its program could not be loaded; nil: it was loaded. After a failure the process has ended and is not
  /// reaped.
  let failure: Errno?

  /// How the process has ended; nil if it is still running. Reaps it, unless `flags` has `WNOWAIT`.
  func wait(_ flags: CInt) -> RunningCommand.Status? {
    var information = unsafe siginfo_t()
    let options = WEXITED | WNOHANG | flags
    guard unsafe waitid(P_PIDFD, id_t(leader.rawValue), &information, options) == 0 else { return .unknown }
    // The code is 0 if the process has not changed its state.
    guard unsafe information.si_code != 0 else { return nil }
    let code = unsafe information._sifields._sigchld.si_status
    return unsafe information.si_code == CInt(CLD_EXITED) ? .exited(code) : .signaled(code)
  }
}

/// Starts `program`, and waits until it is loaded, which may take as long as its file system needs. Throws if no
/// process was created.
///
/// The process starts in `/` with `input` and `output` as its streams, without other descriptors, and without blocked
/// or ignored signals. `error` replaces `output` as its standard error, and `kept` becomes its descriptor 3. The
/// process ID is sent to `line`; if `line` has no reader any more, the program is not loaded. Without an
/// `environment` it gets that of this program.
func spawn(
  _ program: String, _ arguments: [String], _ environment: [String: String]?, input: CInt, output: CInt,
  error: CInt? = nil, kept: CInt = -1, line: CInt = -1
) throws(Errno) -> StartedProcess {
  var vector = unsafe arguments.map { unsafe strdup($0) } + [nil]
  defer { unsafe vector.forEach { unsafe free($0) } }
  var variables = unsafe (environment ?? [:]).map { unsafe strdup("\($0)=\($1)") } + [nil]
  defer { unsafe variables.forEach { unsafe free($0) } }
  let path = unsafe strdup(program)
  defer { unsafe free(path) }
  // If this program had inherited SIGCHLD as ignored, the kernel would reap children automatically, and the number of
  // a group to be killed could already belong to another group.
  signal(SIGCHLD, SIG_DFL)
  var pidfd: CInt = -1
  var start = unsafe program_start()
  let process = unsafe vector.withUnsafeMutableBufferPointer { arguments in
    unsafe variables.withUnsafeMutableBufferPointer { variables in
      let variables = unsafe environment == nil ? environ : variables.baseAddress
      unsafe start = program_start(
        path: path, arguments: arguments.baseAddress, environment: variables, input: input, output: output,
        error: error ?? output, kept: kept, line: line, failure: 0)
      return unsafe start_program(&start, &pidfd)
    }
  }
  let failure = unsafe start.failure == 0 ? nil : Errno(rawValue: start.failure)
  if process < 0 { throw failure ?? .invalidArgument }
  let leader = OwnedFileDescriptor(owning: pidfd)
  if failure != nil {
    // The process ends at once; after this, whoever reaps it need not wait.
    var ended = pollfd(fd: pidfd, events: Int16(POLLIN), revents: 0)
    while unsafe poll(&ended, 1, -1) < 0, errno == EINTR {}
  }
  return StartedProcess(processID: process, leader: leader, failure: failure)
}
