internal import Glibc

/// Ends the wait of another thread that polls ``descriptor``, now or when that wait begins.
package final class Wakeup: Sendable {
  private let reading: Descriptor
  private let writing: Descriptor

  /// Throws when the process has no descriptors left.
  package init() throws(StepperClientError) {
    var ends: [CInt] = [-1, -1]
    guard unsafe socketpair(AF_UNIX, unixStream, 0, &ends) == 0, let reading = Descriptor(ends[0]),
      let writing = Descriptor(ends[1])
    else {
      throw StepperClientError(.cannotConnect, "no descriptor left: \(StepperClientError.text(of: errno))")
    }
    self.reading = reading
    self.writing = writing
  }

  /// A descriptor that is readable from ``signal()`` until ``clear()``.
  package var descriptor: CInt { reading.rawValue }

  /// Ends the wait. Call it from any thread, as often as you like.
  package func signal() {
    var byte: UInt8 = 1
    // A full buffer already is a signal, and the reading end lives as long as this object.
    _ = unsafe send(writing.rawValue, &byte, 1, noSignal)
  }

  /// Clears all signals so far.
  package func clear() {
    var bytes = [UInt8](repeating: 0, count: 256)
    while unsafe recv(reading.rawValue, &bytes, bytes.count, 0) > 0 {}
  }
}
