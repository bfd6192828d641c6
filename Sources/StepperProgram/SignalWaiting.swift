internal import Glibc
internal import StepperClient
package import StepperLinux
package import SystemPackage

/// Events that concern a running program.
package enum ProgramEvent {
  /// SIGHUP.
  case hangUp
  /// Another signal: the program must end.
  case stop
  /// The watched file may have changed.
  case fileChange
  /// Changes of the file cannot be noticed.
  case noFileChanges(Errno)
}

/// Runs `work` on tasks, while this thread calls `handle` for each signal and for each change of `file`. Returns when `work` has
/// returned.
///
/// The thread of the program's main function must do the waiting: if the main function were async, that thread would take every signal.
/// The signals must be blocked before other threads exist, so that all of them leave the signals to this thread.
package func run(
  _ work: @escaping @Sendable () async -> Void, signals: borrowing SignalSource, watching file: FilePath?,
  handle: (ProgramEvent) -> Void
) throws {
  var watch: PathWatch?
  if let file {
    watch = PathWatch()
    watch?.watch([file], for: .content)
    if let error = watch?.refusals[file] { handle(.noFileChanges(error)) }
  }
  let ended = try Wakeup()
  Task.detached {
    await work()
    ended.signal()
  }
  var polled = [signals.rawDescriptor, ended.descriptor, watch?.rawDescriptor ?? -1].map {
    pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
  }
  while polled[1].revents == 0 {
    _ = unsafe poll(&polled, nfds_t(polled.count), -1)
    if let number = signals.nextNumber() { handle(number == SIGHUP ? .hangUp : .stop) }
    if polled[2].revents != 0, let file, watch?.takeAll() == true {
      // Watched before the file is read, so that no change is missed.
      watch?.watch([file], for: .content)
      handle(.fileChange)
    }
  }
}
