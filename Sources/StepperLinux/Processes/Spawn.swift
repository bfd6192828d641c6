internal import CLinux
internal import Glibc
internal import SystemPackage

/// A process that was started, with what this program has of it.
struct StartedProcess: ~Copyable, Sendable {
  /// Also the number of its process group and session.
  let processID: pid_t
  /// Readable when it has ended.
  let leader: OwnedFileDescriptor
  /// Why its program could not be loaded; nil: it was. It has ended then, and is not reaped.
  let failure: Errno?
}

/// Starts `program`, and waits until it is loaded, which may take as long as its file system likes. Throws if there is no
/// process.
///
/// It starts in `/` with `input` and `output` as its streams, without other descriptors, and without blocked or ignored
/// signals. `error` takes the place of `output` for its errors, and `kept` is its descriptor 3. The number of the process is sent
/// to `line`; if that has no reader any more, the program is not loaded. Without an `environment` it has that of this program.
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
  // If this program inherited SIGCHLD as ignored, the kernel would reap children automatically, and the number of a
  // group to be killed could already belong to another group.
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
    // It ends at once; whoever reaps it need not wait.
    var ended = pollfd(fd: pidfd, events: Int16(POLLIN), revents: 0)
    while unsafe poll(&ended, 1, -1) < 0, errno == EINTR {}
  }
  return StartedProcess(processID: process, leader: leader, failure: failure)
}

/// `/dev/null`, opened for reading.
func openNull() throws(Errno) -> OwnedFileDescriptor {
  try OwnedFileDescriptor(unsafe open("/dev/null", O_RDONLY | O_CLOEXEC))
}
