internal import Glibc
internal import StepperClient
internal import StepperSystem

/// The signals that end the program.
struct Termination {
  private let signals: AsyncStream<Void>

  /// Takes the signals from the program's threads; call it before there are any.
  init() throws {
    let source = try SignalSource(numbers: [SIGTERM, SIGINT, SIGHUP])
    let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
    self.signals = signals
    let isWaiting = Thread.start {
      var polled = pollfd(fd: source.rawDescriptor, events: Int16(POLLIN), revents: 0)
      while source.nextNumber() == nil { _ = unsafe poll(&polled, 1, -1) }
      continuation.yield()
    }
    guard isWaiting else { throw ExitFailure(EX_OSERR, ["stepperd-link: no thread could be started"]) }
  }

  /// Returns when one has come.
  func wait() async { for await _ in signals { return } }
}
