internal import CLinux
internal import Glibc
internal import SystemPackage

/// A program that runs beside this one, with pipes to its input and from its output: without a shell, in a separate
/// session and process group, in `/`. Its errors go where those of this program go.
///
/// Its process group is killed when this value is destroyed, which waits for the end of the program.
package struct Coprocess: ~Copyable {
  private let process: StartedProcess
  private var input: OwnedFileDescriptor
  private let output: OwnedFileDescriptor
  private let loading: OwnedFileDescriptor

  /// Readable when it has written something, and when it has closed its output.
  package var outputDescriptor: CInt { output.rawValue }
  /// Writable when the program has read all that was written: the pipe is one page, which a single write takes.
  package var inputDescriptor: CInt { input.rawValue }
  /// Readable when ``loadingState`` has changed.
  package var loadingDescriptor: CInt { loading.rawValue }
  /// Readable when it has ended.
  package var endDescriptor: CInt { process.leader.rawValue }

  /// Starts the program with the path `arguments[0]` and the environment of this one. Blocks until it is loaded.
  package static func start(_ arguments: [String]) throws(SpawnFailure) -> Self {
    let program = arguments.first ?? ""
    do throws(Errno) {
      let coprocess = try Self(program, arguments)
      if let failure = coprocess.process.failure { throw failure }
      return coprocess
    } catch {
      throw SpawnFailure(program: program, errno: error)
    }
  }

  private init(_ program: String, _ arguments: [String]) throws(Errno) {
    var ends: [CInt] = [-1, -1]
    // The program's ends block, as programs expect it.
    try Errno.check(unsafe pipe2(&ends, O_CLOEXEC))
    let programInput = OwnedFileDescriptor(owning: ends[0])
    let input = OwnedFileDescriptor(owning: ends[1])
    try Errno.check(fcntl(input.rawValue, F_SETFL, O_NONBLOCK))
    try Errno.check(fcntl(input.rawValue, set_pipe_size, 1))
    try Errno.check(unsafe pipe2(&ends, O_CLOEXEC))
    let output = OwnedFileDescriptor(owning: ends[0])
    let programOutput = OwnedFileDescriptor(owning: ends[1])
    try Errno.check(fcntl(output.rawValue, F_SETFL, O_NONBLOCK))
    // After the others, so that it is not the number that it becomes.
    try Errno.check(unsafe pipe2(&ends, O_CLOEXEC))
    let loading = OwnedFileDescriptor(owning: ends[0])
    let programLoading = OwnedFileDescriptor(owning: ends[1])
    try Errno.check(fcntl(loading.rawValue, F_SETFL, O_NONBLOCK))
    process = try spawn(
      program, arguments, nil, input: programInput.rawValue, output: programOutput.rawValue,
      error: STDERR_FILENO, kept: programLoading.rawValue)
    self.input = input
    self.output = output
    self.loading = loading
  }

  /// Kills its process group, which may take a while to end.
  package func kill() {
    // Not reaped yet, so the number is still that of the group.
    _ = Glibc.kill(-process.processID, SIGKILL)
  }

  deinit {
    kill()
    _ = waitpid(process.processID, nil, 0)
  }

  /// What a read or write came to.
  package enum Transfer: Hashable, Sendable {
    case bytes(Int)
    case later
    /// The other end is closed.
    case end
  }

  /// Reads what there is into `buffer`, at most as much as it holds.
  package func read(into buffer: inout [UInt8]) -> Transfer {
    Self.transfer(unsafe Glibc.read(output.rawValue, &buffer, buffer.count))
  }

  /// Writes the beginning of `bytes`. The program must ignore SIGPIPE.
  package func write(_ bytes: ArraySlice<UInt8>) -> Transfer {
    Self.transfer(
      unsafe bytes.withUnsafeBytes { unsafe Glibc.write(input.rawValue, $0.baseAddress, $0.count) })
  }

  /// It reads no more than what was written.
  package mutating func closeInput() { input = OwnedFileDescriptor(owning: -1) }

  private static func transfer(_ count: Int) -> Transfer {
    if count > 0 { return .bytes(count) }
    let isLater =
      count < 0 && [.wouldBlock, .resourceTemporarilyUnavailable, .interrupted].contains(Errno.current)
    return isLater ? .later : .end
  }

  /// Whether another program has taken its place with ``becomeProgram(_:)``: `.end`; `.bytes`: it could not be loaded.
  package var loadingState: Transfer {
    var byte: UInt8 = 0
    return Self.transfer(unsafe Glibc.read(loading.rawValue, &byte, 1))
  }

  /// How it has ended, in words; nil: it has not.
  package var end: String? {
    var information = unsafe siginfo_t()
    let options = WEXITED | WNOHANG | WNOWAIT
    guard unsafe waitid(P_PIDFD, id_t(endDescriptor), &information, options) == 0,
      // 0 if it has not changed its state.
      unsafe information.si_code != 0
    else { return nil }
    let code = unsafe information._sifields._sigchld.si_status
    return unsafe information.si_code == CInt(CLD_EXITED) ? "with exit status \(code)" : "by signal \(code)"
  }
}
