internal import Glibc
internal import StepperClient
internal import StepperCore
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
  /// Changes of the file are not noticed any more: it is taken as changed after each
  /// ``FileWatch/pauseAfterRefusal``.
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
  var watch = file.map { _ in PathWatch() }
  var isRefused = false
  func watchFile() {
    guard let file else { return }
    watch?.watch([file], for: .content)
    let refusal = watch?.refusals[file]
    if let refusal, !isRefused { handle(.noFileChanges(refusal)) }
    isRefused = refusal != nil
  }
  watchFile()
  let ended = try Wakeup()
  Task.detached {
    await work()
    ended.signal()
  }
  var polled = [signals.rawDescriptor, ended.descriptor, watch?.rawDescriptor ?? -1].map {
    pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
  }
  while polled[1].revents == 0 {
    let timeout = isRefused ? CInt(FileWatch.pauseAfterRefusal.milliseconds) : -1
    let count = unsafe poll(&polled, nfds_t(polled.count), timeout)
    if let number = signals.nextNumber() { handle(number == SIGHUP ? .hangUp : .stop) }
    if count == 0 || polled[2].revents != 0 && watch?.takeAll() == true {
      // Watched before the file is read, so that no change is missed.
      watchFile()
      handle(.fileChange)
    }
  }
}
