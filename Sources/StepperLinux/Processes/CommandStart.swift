internal import CLinux
internal import Glibc
package import StepperCore
internal import SystemPackage

/// A command whose program is being searched and loaded, which takes as long as its file system likes: a thread of its own
/// waits for that.
///
/// A thread and not a copy of the process: `fork` copies the page tables on the caller's thread, and each page that this
/// program writes afterwards is copied too, which is 0.6 ms and 1.3 ms for 16 MB where a thread is started in 15 µs. The
/// new process has the memory of the thread until the program is loaded, as with `posix_spawn`, and the thread waits
/// meanwhile.
///
/// One that is released is cancelled.
package final class CommandStart {
  private let worker: WorkerThread<Result<StartedCommand, SpawnFailure>>
  /// Where the new process sends its number before the program is loaded.
  private let line: OwnedFileDescriptor
  /// The number of the process, once it was asked for.
  private var processID: pid_t?
  private var isOver = false

  /// Begins to start `arguments[0]`, a path or a name that is searched in the `PATH` of `environment`, the complete
  /// environment of the command. Throws if there is no thread or no descriptor for it.
  package init(_ arguments: [String], environment: [String: String]) throws(SpawnFailure) {
    do throws(Errno) {
      var ends: [CInt] = [-1, -1]
      try Errno.check(
        unsafe socketpair(
          AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0, &ends))
      line = OwnedFileDescriptor(owning: ends[0])
      let far = ends[1]
      do throws(Errno) {
        worker = try WorkerThread()
        try worker.start {
          defer { close(far) }
          return Result { () throws(SpawnFailure) in
            try StartedCommand(arguments, environment: environment, line: far)
          }
        }
      } catch {
        close(far)
        throw error
      }
    } catch {
      throw SpawnFailure(program: arguments.first ?? "", errno: error)
    }
  }

  /// Readable when ``takeResult()`` has a result.
  package var rawDescriptor: CInt { worker.rawDescriptor }

  /// The command that was started, or the reason why it was not; nil: it is still being started. Returned once.
  package func takeResult() -> Result<RunningCommand, SpawnFailure>? { worker.takeResult().map(result) }

  /// Waits for the result, at most until `deadline`.
  package func waitForResult(until deadline: Instant) -> Result<RunningCommand, SpawnFailure>? {
    worker.waitForResult(until: deadline).map(result)
  }

  private func result(_ started: Result<StartedCommand, SpawnFailure>) -> Result<RunningCommand, SpawnFailure>
  {
    isOver = true
    return RunningCommand.running(started)
  }

  /// Sees to it that the program is not run: a process that is not there yet does not load it, and one that loads it is
  /// killed. Its end is the result.
  package func cancel() {
    guard !isOver else { return }
    // What was sent before can still be received, and nothing can be sent afterwards.
    _ = shutdown(line.rawValue, CInt(SHUT_RD))
    var number: pid_t = 0
    let size = MemoryLayout<pid_t>.size
    if processID == nil, unsafe recv(line.rawValue, &number, size, 0) == size { processID = number }
    // It is not reaped before the result is taken.
    guard let processID else { return }
    _ = kill(processID, SIGKILL)
    _ = kill(-processID, SIGKILL)
  }

  deinit { cancel() }
}

/// The process of a command, as the thread that started it hands it over.
final class StartedCommand: Sendable {
  let process: StartedProcess
  let output: OwnedFileDescriptor
  let program: String

  /// Starts a command and waits until its program is loaded. Throws if there is no process.
  init(_ arguments: [String], environment: [String: String], line: CInt = -1) throws(SpawnFailure) {
    let program = try findProgram(
      arguments.first ?? "", path: environment["PATH"] ?? RunningCommand.defaultPath)
    self.program = program
    do throws(Errno) {
      var ends: [CInt] = [-1, -1]
      try Errno.check(unsafe pipe2(&ends, O_CLOEXEC))
      let output = OwnedFileDescriptor(owning: ends[0])
      let writing = OwnedFileDescriptor(owning: ends[1])
      // For the reading end only: programs expect that writing blocks.
      try Errno.check(fcntl(output.rawValue, F_SETFL, O_NONBLOCK))
      let input = try openNull()
      process = try spawn(
        program, arguments, environment, input: input.rawValue, output: writing.rawValue, line: line)
      self.output = output
    } catch {
      throw SpawnFailure(program: program, errno: error)
    }
  }
}
