internal import Glibc
internal import StepperClient
package import StepperLinux
package import SystemPackage

/// What happens to a program while it works.
package enum ProgramEvent {
  /// SIGHUP.
  case hangUp
  /// Another signal: the program must end.
  case stop
  /// The file that it asked about may have changed.
  case fileChange
  /// Changes of the file are not noticed.
  case noFileChanges(Errno)
}

/// Runs `work` on tasks, while this thread calls `handle` for each signal and for each change of `file`. Returns when `work`
/// has returned.
///
/// The thread of the program's main function has to wait itself: where that function is async, it takes every signal.
/// The signals must be blocked before there are threads, so that they all leave them to this one.
package func run(
  _ work: @escaping @Sendable () async -> Void, signals: borrowing SignalSource, watching file: FilePath?,
  handle: (ProgramEvent) -> Void
) throws {
  var watch: PathWatch?
  if let file {
    watch = PathWatch()
    watch?.watch(file, for: .content)
    if let error = watch?.refusal { handle(.noFileChanges(error)) }
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
      // Before it is read, so that no change is missed.
      watch?.watch(file, for: .content)
      handle(.fileChange)
    }
  }
}
