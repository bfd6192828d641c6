import CLinux
import Glibc

/// The time from starting a program to the answer to its first call.
enum Start {
  /// Starts `command` and ends it again; returns nanoseconds.
  static func measure(socket: String, command: [String]) -> Int64 {
    unlink(socket)
    run_on_processor(CInt(min(sysconf(CInt(_SC_NPROCESSORS_ONLN)), 2) - 1))
    var arguments = command.map { strdup($0) } + [nil]
    var process = pid_t()
    let begin = nanoseconds()
    guard posix_spawn(&process, command[0], nil, nil, &arguments, environ) == 0 else {
      fail("cannot start \(command[0])")
    }
    run_on_processor(0)
    // The program creates its socket before it listens on it: only an attempt shows that it does.
    var connection = Connection(to: socket)
    while connection == nil {
      guard nanoseconds() - begin < 10_000_000_000 else {
        kill(process, SIGKILL)
        fail("\(command[0]) did not start")
      }
      connection = Connection(to: socket)
    }
    connection?.send(Call.get)
    connection?.receive()
    let time = nanoseconds() - begin
    kill(process, SIGTERM)
    waitpid(process, nil, 0)
    return time
  }
}
