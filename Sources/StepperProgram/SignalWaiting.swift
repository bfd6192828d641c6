internal import Glibc
internal import StepperClient
package import StepperSystem
internal import SystemPackage

/// Runs `work` on tasks, while this thread waits for signals and calls `stop` for each. Returns when `work` has returned.
///
/// The thread of the program's main function has to wait itself: where that function is async, it takes every signal.
/// The signals must be blocked before there are threads, so that they all leave them to this one.
package func run(
  _ work: @escaping @Sendable () async -> Void, signals: borrowing SignalSource, stop: () -> Void
) throws {
  let ended = try Wakeup()
  Task.detached {
    await work()
    ended.signal()
  }
  var polled = [signals.rawDescriptor, ended.descriptor].map {
    pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
  }
  while polled[1].revents == 0 {
    _ = unsafe poll(&polled, nfds_t(polled.count), -1)
    if signals.nextNumber() != nil { stop() }
  }
}
