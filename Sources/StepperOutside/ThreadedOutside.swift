package import StepperBridge
internal import StepperClient
internal import Synchronization

/// An outside that is served by a thread, as libraries in C want it that wait for descriptors.
package final class ThreadedOutside: BridgeOutside {
  /// Serves the port until it has ended; throws what is wrong.
  package typealias Body = @Sendable (OutsidePort) throws(OutsideFailure) -> Void

  private let body: Body
  private let port = Mutex<OutsidePort?>(nil)

  /// `body` is run on a thread of its own for each connection.
  package init(_ body: @escaping Body) { self.body = body }

  package func changes() async throws -> PortChanges {
    let port = try OutsidePort()
    self.port.withLock { $0 = port }
    let body = body
    let isStarted = Thread.start {
      do throws(OutsideFailure) {
        try body(port)
        port.threadEnded(nil)
      } catch {
        port.threadEnded(error)
      }
    }
    guard isStarted else { throw OutsideFailure("there are no threads left") }
    return PortChanges(port: port)
  }

  package func write(_ value: Double) async throws {
    guard let port = port.withLock({ $0 }) else { throw OutsideFailure("it is not connected") }
    try await port.write(value)
  }
}

/// What comes through a port, until its thread has ended.
package struct PortChanges: AsyncSequence {
  package typealias Element = OutsideChange

  let port: OutsidePort

  package func makeAsyncIterator() -> Iterator { Iterator(port: port) }

  package struct Iterator: AsyncIteratorProtocol {
    let port: OutsidePort

    package mutating func next() async throws -> OutsideChange? { try await port.next() }
  }
}
