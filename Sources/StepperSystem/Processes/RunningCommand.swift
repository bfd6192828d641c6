internal import CLinux
internal import Glibc
package import StepperCore
internal import SystemPackage

/// A command that runs beside the daemon: without a shell, in a separate session and process group, in `/`, with an
/// empty standard input and its output in a pipe. It inherits no other descriptor and no blocked or ignored signal.
///
/// It ends with its first process, the leader. Other processes of the group are then killed, so that they do not
/// accumulate; a process that must continue leaves the group, as `setsid` does, and writes to another output.
///
/// A command that is released is killed but not reaped: only ``finish()`` reaps it.
package struct RunningCommand: ~Copyable {
  /// The process ID of the leader, and of the group.
  package let processID: Int32
  private let leader: OwnedFileDescriptor
  private let output: OwnedFileDescriptor
  private var status: Status?

  /// The exit status of a leader.
  package enum Status: Hashable, Sendable {
    case exited(Int32)
    case signaled(Int32)
    /// Another part of the process has reaped it, which violates the contract of this type.
    case unknown
  }

  /// Becomes readable when the leader has ended.
  package var endDescriptor: CInt { leader.rawValue }
  /// Becomes readable when there is output, and at its end.
  package var outputDescriptor: CInt { output.rawValue }

  /// The search path if the environment has no `PATH`.
  package static let defaultPath = "/usr/local/bin:/usr/bin:/bin"

  /// Starts `arguments[0]`, a path or a name that is searched in the `PATH` of `environment`, the complete
  /// environment of the command. Blocks until the program is loaded.
  package static func start(
    _ arguments: [String], environment: [String: String]
  ) throws(SpawnFailure) -> Self {
    let program = try findProgram(arguments.first ?? "", path: environment["PATH"] ?? defaultPath)
    do throws(Errno) {
      return try start(program, arguments, environment)
    } catch {
      throw SpawnFailure(program: program, errno: error)
    }
  }

  private init(processID: Int32, leader: consuming OwnedFileDescriptor, output: consuming OwnedFileDescriptor)
  {
    self.processID = processID
    self.leader = leader
    self.output = output
  }

  private static func start(
    _ program: String, _ arguments: [String], _ environment: [String: String]
  ) throws(Errno) -> Self {
    var ends: [CInt] = [-1, -1]
    try Errno.check(unsafe pipe2(&ends, O_CLOEXEC))
    let reading = OwnedFileDescriptor(owning: ends[0])
    let writing = OwnedFileDescriptor(owning: ends[1])
    // For the reading end only: programs expect that writing blocks.
    try Errno.check(fcntl(reading.rawValue, F_SETFL, O_NONBLOCK))
    // If the daemon inherited SIGCHLD as ignored, the kernel would reap children automatically, and the number of a
    // group to be killed could already belong to another group.
    signal(SIGCHLD, SIG_DFL)
    let process = try spawn(program, arguments, environment, output: writing.rawValue)
    // The number is that of the child, because it is not used again before the child is reaped here.
    let leader = open_pidfd(process)
    guard leader >= 0 else {
      let error = Errno.current
      _ = Glibc.kill(-process, SIGKILL)
      _ = waitpid(process, nil, 0)
      throw error
    }
    return Self(processID: process, leader: OwnedFileDescriptor(owning: leader), output: reading)
  }

  deinit { kill() }

  // MARK: Output

  /// A piece of the output.
  package enum Output: Hashable, Sendable {
    case bytes([UInt8])
    case end
    case nothingYet
  }

  /// At most `limit` bytes of its output. A pipe that cannot be read is treated as ended.
  package func readOutput(limit: Int) -> Output {
    var count = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, initialized in
      count = unsafe read(output.rawValue, buffer.baseAddress, limit)
      initialized = max(count, 0)
    }
    if count > 0 { return .bytes(bytes) }
    if count < 0, [.wouldBlock, .resourceTemporarilyUnavailable, .interrupted].contains(Errno.current) {
      return .nothingYet
    }
    return .end
  }

  // MARK: End

  /// Sends SIGTERM to all processes of the group.
  package func terminate() {
    signalGroup(SIGTERM)
    // A stopped process receives it only when it continues.
    signalGroup(SIGCONT)
  }

  /// Sends SIGKILL to all processes of the group.
  package func kill() { signalGroup(SIGKILL) }

  private func signalGroup(_ number: CInt) {
    // After the leader is reaped, the number may be that of another group. Errors are ignored: processes of another
    // user cannot be signalled.
    guard status == nil else { return }
    _ = Glibc.kill(-processID, number)
  }

  /// Whether the leader has ended, reaped or not.
  package var hasEnded: Bool { status != nil || wait(WNOWAIT) != nil }

  /// Whether the ended leader left processes in its group that ``finish()`` will kill. Reads the state of every
  /// process of the machine.
  package var hasLeftovers: Bool { status == nil && hasMembers(ofGroup: processID) }

  /// Kills the remaining processes of the group, and reaps the leader; nil if it is still running.
  package mutating func finish() -> Status? {
    guard status == nil, let ended = wait(WNOWAIT) else { return status }
    if ended != .unknown {
      kill()
      _ = wait(0)
    }
    status = ended
    return ended
  }

  /// The exit status of the leader; nil if it is still running.
  private func wait(_ flags: CInt) -> Status? {
    var information = unsafe siginfo_t()
    let options = WEXITED | WNOHANG | flags
    guard unsafe waitid(P_PIDFD, id_t(leader.rawValue), &information, options) == 0 else { return .unknown }
    // The code is 0 if no child has changed its state.
    guard unsafe information.si_code != 0 else { return nil }
    let code = unsafe information._sifields._sigchld.si_status
    return unsafe information.si_code == CInt(CLD_EXITED) ? .exited(code) : .signaled(code)
  }

  /// Blocks until the leader has ended or until `deadline`.
  package func waitForEnd(until deadline: Instant) {
    let left = (deadline - .now).nanoseconds / 1_000_000
    var wanted = pollfd(fd: leader.rawValue, events: Int16(POLLIN), revents: 0)
    unsafe poll(&wanted, 1, CInt(clamping: max(left, 0)))
  }
}
