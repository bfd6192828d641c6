internal import CLinux
internal import Glibc
package import StepperCore
internal import SystemPackage

/// A command that runs beside the daemon: without a shell, in a session and a process group of its own, in `/`, with
/// nothing to read and its output in a pipe. It inherits no other descriptor and no blocked or ignored signal.
///
/// It is over when its first process, the leader, is. What that leaves behind in the group is killed then, so that
/// nothing piles up; a process that is to go on leaves the group, as `setsid` does, and writes elsewhere.
///
/// A command that is dropped is killed, but not waited for: only ``finish()`` reaps it.
package struct RunningCommand: ~Copyable {
  /// Of the leader, and the number of the group.
  package let processID: Int32
  private let leader: OwnedFileDescriptor
  private let output: OwnedFileDescriptor
  private var status: Status?

  /// How a leader ended.
  package enum Status: Hashable, Sendable {
    case exited(Int32)
    case signaled(Int32)
    /// Somebody else reaped it, which must not happen.
    case unknown
  }

  /// Becomes readable when the leader has ended.
  package var endDescriptor: CInt { leader.rawValue }
  /// Becomes readable when there is output, and at its end.
  package var outputDescriptor: CInt { output.rawValue }

  /// Where programs are looked for if the environment has no `PATH`.
  package static let defaultPath = "/usr/local/bin:/usr/bin:/bin"

  /// Starts `arguments[0]`, a path or a name that is looked up in the `PATH` of `environment`, which is all the
  /// environment it gets. Waits until the program is loaded, no longer.
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
    // Only our end: programs expect that writing waits.
    try Errno.check(fcntl(reading.rawValue, F_SETFL, O_NONBLOCK))
    // Had we inherited it ignored, the kernel would reap in our stead, and the number of a group that is to be killed
    // could be somebody else's by then.
    signal(SIGCHLD, SIG_DFL)
    let process = try spawn(program, arguments, environment, output: writing.rawValue)
    // It cannot be another process: a number is not used again before it is reaped, which only we do.
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

  /// At most `limit` bytes of what it has written. A pipe that cannot be read is at its end.
  package func readOutput(limit: Int) -> StreamConnection.Received {
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

  /// Asks every process of the group to end.
  package func terminate() {
    signalGroup(SIGTERM)
    // One that is stopped does not hear it before it goes on.
    signalGroup(SIGCONT)
  }

  /// Ends every process of the group.
  package func kill() { signalGroup(SIGKILL) }

  private func signalGroup(_ number: CInt) {
    // Once the leader is reaped, the number may be another group's. A group of another user's refuses: nothing helps.
    guard status == nil else { return }
    _ = Glibc.kill(-processID, number)
  }

  /// Whether the leader has ended, reaped or not.
  package var hasEnded: Bool { status != nil || wait(WNOWAIT) != nil }

  /// Whether the leader, which has ended, left something behind in its group that ``finish()`` will kill. Looks at every
  /// process of the machine.
  package var hasLeftovers: Bool { status == nil && hasMembers(ofGroup: processID) }

  /// Kills what the leader left behind in its group, and reaps it; nil if it still runs.
  package mutating func finish() -> Status? {
    guard status == nil, let ended = wait(WNOWAIT) else { return status }
    if ended != .unknown {
      kill()
      _ = wait(0)
    }
    status = ended
    return ended
  }

  /// How the leader ended; nil if it still runs.
  private func wait(_ flags: CInt) -> Status? {
    var information = unsafe siginfo_t()
    let options = WEXITED | WNOHANG | flags
    guard unsafe waitid(P_PIDFD, id_t(leader.rawValue), &information, options) == 0 else { return .unknown }
    // 0 is the code of none.
    guard unsafe information.si_code != 0 else { return nil }
    let code = unsafe information._sifields._sigchld.si_status
    return unsafe information.si_code == CInt(CLD_EXITED) ? .exited(code) : .signaled(code)
  }

  /// Blocks until the leader has ended, but no longer than until `deadline`.
  package func waitForEnd(until deadline: Instant) {
    let left = (deadline - .now).nanoseconds / 1_000_000
    var wanted = pollfd(fd: leader.rawValue, events: Int16(POLLIN), revents: 0)
    unsafe poll(&wanted, 1, CInt(clamping: max(left, 0)))
  }
}
