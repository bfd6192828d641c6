internal import Glibc

/// Ends a wait on another thread, now or when that wait begins. It cannot be taken back.
final class Wakeup: Sendable {
  private let reading: Descriptor
  private let writing: Descriptor

  /// Throws when the process has no descriptors left.
  init() throws(StepperClientError) {
    var ends: [CInt] = [-1, -1]
    guard unsafe socketpair(AF_UNIX, unixStream, 0, &ends) == 0, let reading = Descriptor(ends[0]),
      let writing = Descriptor(ends[1])
    else {
      throw StepperClientError(.cannotConnect, "no descriptor left: \(StepperClientError.text(of: errno))")
    }
    self.reading = reading
    self.writing = writing
  }

  /// What becomes readable with ``signal()``.
  var descriptor: CInt { reading.rawValue }

  /// Ends the wait. Call it from any thread, as often as you like.
  func signal() {
    var byte: UInt8 = 1
    // A full buffer is a signal already, and the reading end lives as long as this.
    _ = unsafe send(writing.rawValue, &byte, 1, noSignal)
  }

  /// Waits for ``signal()``; false if `deadline` comes first.
  func isSignalled(until deadline: SuspendingClock.Instant) -> Bool {
    reading.wait(for: CInt(POLLIN), until: deadline) == .ready
  }
}
