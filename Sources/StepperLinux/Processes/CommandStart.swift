internal import CLinux
internal import Glibc
package import StepperCore
internal import SystemPackage

/// A command whose program is being searched for and loaded. That takes as long as the file system needs, so a
/// separate thread waits for it.
///
/// A thread, not a copy of the process: `fork` copies the page tables on the caller's thread, and each page that this
/// program writes afterwards is copied too. For 16 MB that takes 0.6 ms and 1.3 ms, whereas a thread is started in 15
/// µs. The new process shares the memory of the thread until the program is loaded, as with `posix_spawn`, and the
/// thread waits meanwhile.
///
/// Releasing this object cancels the start.
package final class CommandStart {
  private let worker: WorkerThread<Result<StartedCommand, SpawnFailure>>
  /// The socket through which the new process sends its process ID before the program is loaded.
  private let line: OwnedFileDescriptor
  /// The process ID, once ``cancel()`` has received it.
  private var processID: pid_t?
  private var isOver = false

  /// Begins to start `arguments[0]`, a path or a name that is searched in the `PATH` of `environment`, the complete
  /// environment of the command. Throws if there is no thread or no descriptor left.
  package init(_ arguments: [String], environment: [String: String]) throws(SpawnFailure) {
    do throws(Errno) {
      let pair = try DescriptorPair.sockets()
      line = pair.reading
      let far = pair.writing.release()
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

  /// The command that was started, or the reason why it was not; nil: it is still being started. Each result is
  /// returned once.
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

  /// Prevents the program from running: a process that has not been created yet will not load it, and a process that
  /// is loading it is killed. The result is then the end of that process.
  package func cancel() {
    guard !isOver else { return }
    // What was sent before can still be received; after the shutdown, nothing more can be sent.
    _ = shutdown(line.rawValue, CInt(SHUT_RD))
    var number: pid_t = 0
    let size = MemoryLayout<pid_t>.size
    if processID == nil, unsafe recv(line.rawValue, &number, size, 0) == size { processID = number }
    // The process is not reaped before the result is taken.
    guard let processID else { return }
    _ = kill(processID, SIGKILL)
    _ = kill(-processID, SIGKILL)
  }

  deinit { cancel() }
}

/// The process of a command, as handed over by the thread that started it.
final class StartedCommand: Sendable {
  let process: StartedProcess
  let output: OwnedFileDescriptor
  let program: String

  /// Starts a command and waits until its program is loaded. Throws if no process was created.
  init(_ arguments: [String], environment: [String: String], line: CInt = -1) throws(SpawnFailure) {
    let program = try findProgram(
      arguments.first ?? "", path: environment["PATH"] ?? RunningCommand.defaultPath)
    self.program = program
    do throws(Errno) {
      let output = try DescriptorPair.pipe()
      // `/dev/null` as standard input.
      let input = try OwnedFileDescriptor(unsafe open("/dev/null", O_RDONLY | O_CLOEXEC))
      process = try spawn(
        program, arguments, environment, input: input.rawValue, output: output.writing.rawValue, line: line)
      self.output = output.reading
    } catch {
      throw SpawnFailure(program: program, errno: error)
    }
  }
}
