internal import Glibc
internal import StepperClient
internal import StepperSystem
internal import StepperWeb
internal import SystemPackage

/// The signals that end the program.
struct Termination {
  private let signal = Signal()

  /// Takes the signals from the program's threads; call it before there are any.
  init() throws {
    let source = try SignalSource(numbers: [SIGTERM, SIGINT, SIGHUP])
    let signal = signal
    let isWaiting = Thread.start {
      var polled = pollfd(fd: source.rawDescriptor, events: Int16(POLLIN), revents: 0)
      while source.nextNumber() == nil { _ = unsafe poll(&polled, 1, -1) }
      signal.signal()
    }
    guard isWaiting else { throw ExitFailure(EX_OSERR, ["stepperd-web: no thread could be started"]) }
  }

  /// Returns when one has come.
  func wait() async { await signal.wait() }
}
