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
  private let command: StartedCommand
  private var status: Status?
  /// Whether the leader left processes in its group; ``finish()`` has killed them.
  package private(set) var leftProcesses = false

  /// The process ID of the leader, and of the group.
  package var processID: Int32 { command.process.processID }

  /// How a leader has ended.
  package enum Status: Hashable, Sendable {
    case exited(Int32)
    case signaled(Int32)
    /// Another part of this process has reaped the leader, which violates the contract of this type.
    case unknown
  }

  /// Becomes readable when the leader has ended.
  package var endDescriptor: CInt { command.process.leader.rawValue }
  /// Becomes readable when there is output, and when the output has ended.
  package var outputDescriptor: CInt { command.output.rawValue }

  /// The search path that is used if the environment has no `PATH`.
  package static let defaultPath = "/usr/local/bin:/usr/bin:/bin"

  /// Starts `arguments[0]`, a path or a name that is searched in the `PATH` of `environment`, the complete
  /// environment of the command. Blocks until the program is loaded; ``CommandStart`` does not.
  package static func start(
    _ arguments: [String], environment: [String: String]
  ) throws(SpawnFailure) -> Self {
    let started = Result { () throws(SpawnFailure) in
      try StartedCommand(arguments, environment: environment)
    }
    return try running(started).get()
  }

  /// The command that was started. If its program could not be loaded, the process is reaped.
  static func running(_ started: Result<StartedCommand, SpawnFailure>) -> Result<Self, SpawnFailure> {
    switch started {
    case .failure(let failure): return .failure(failure)
    case .success(let command):
      var running = Self(command)
      guard let error = command.process.failure else { return .success(running) }
      _ = running.finish()
      return .failure(SpawnFailure(program: command.program, errno: error))
    }
  }

  private init(_ command: StartedCommand) { self.command = command }

  deinit { kill() }

  // MARK: Output

  /// A piece of the output.
  package enum Output: Hashable, Sendable {
    case bytes([UInt8])
    case end
    case nothingYet
  }

  /// At most `limit` bytes of the output. A pipe that cannot be read is treated as ended.
  package func readOutput(limit: Int) -> Output {
    var count = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, initialized in
      count = unsafe read(outputDescriptor, buffer.baseAddress, limit)
      initialized = max(count, 0)
    }
    if count > 0 { return .bytes(bytes) }
    return count < 0 && Errno.current.isLater ? .nothingYet : .end
  }

  // MARK: End

  /// Sends SIGTERM to all processes of the group.
  package func terminate() {
    signalGroup(SIGTERM)
    // A stopped process handles the signal only when it continues.
    signalGroup(SIGCONT)
  }

  /// Sends SIGKILL to all processes of the group.
  package func kill() { signalGroup(SIGKILL) }

  private func signalGroup(_ number: CInt) {
    // After the leader is reaped, the number may belong to another group. Errors are ignored: processes of another
    // user cannot be signalled.
    guard status == nil else { return }
    _ = Glibc.kill(-processID, number)
  }

  /// Whether the leader has ended, reaped or not.
  package var hasEnded: Bool { status != nil || command.process.wait(WNOWAIT) != nil }

  /// Kills the remaining processes of the group, and reaps the leader; nil if it is still running.
  package mutating func finish() -> Status? {
    guard status == nil, let ended = command.process.wait(WNOWAIT) else { return status }
    if ended != .unknown {
      // A stopped process does not end by itself: as long as one is left, no other group can get the number.
      signalGroup(SIGSTOP)
      _ = command.process.wait(0)
      leftProcesses = Glibc.kill(-processID, SIGKILL) == 0 || errno != ESRCH
    }
    status = ended
    return ended
  }

  /// Blocks until the leader has ended or until `deadline`.
  package func waitForEnd(until deadline: Instant) {
    let left = (deadline - .now).milliseconds
    var wanted = pollfd(fd: endDescriptor, events: Int16(POLLIN), revents: 0)
    unsafe poll(&wanted, 1, CInt(clamping: max(left, 0)))
  }
}
