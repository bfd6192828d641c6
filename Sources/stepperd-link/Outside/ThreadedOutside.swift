package import StepperBridge
internal import StepperClient
internal import Synchronization

/// An outside that is served by a thread, as libraries in C want it that wait for descriptors.
package final class ThreadedOutside: BridgeOutside {
  /// Serves the port until it has ended; throws what is wrong.
  package typealias Body = @Sendable (OutsidePort) throws(OutsideFailure) -> Void

  private let silence: OutsideFailure
  private let body: Body
  private let port = Mutex<OutsidePort?>(nil)

  /// How long a library may take to connect, and for a write; those that know better give up earlier.
  private static let patience = Duration.seconds(12)

  /// `body` is run on a thread of its own for each connection, one at a time. `name` is what does not answer where a
  /// library waits for something itself, in words.
  package init(_ name: String = "it", _ body: @escaping Body) {
    (silence, self.body) = (OutsideFailure("\(name) does not answer"), body)
  }

  package func changes() async throws -> PortChanges {
    // However often it is tried, there is no more than one thread that waits for an answer.
    guard await threadEnds(within: Self.patience) else { throw silence }
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
    guard isStarted else {
      port.threadEnded(nil)
      throw OutsideFailure("there are no threads left")
    }
    let silence = silence
    Task {
      try? await Task.sleep(for: Self.patience)  // It is cancelled by nobody.
      if !port.hasReported { port.abandon(silence) }
    }
    return PortChanges(port: port)
  }

  package func write(_ value: Double) async throws {
    guard let port = port.withLock({ $0 }) else { throw OutsideFailure("it is not connected") }
    let silence = silence
    let watch = Task {
      // Cancelled, the value was written in time.
      if (try? await Task.sleep(for: Self.patience)) != nil { port.abandon(silence) }
    }
    defer { watch.cancel() }
    try await port.write(value)
  }

  /// Waits for the end of the thread of the last connection, which nobody wants any more; whether it has come within
  /// `time`.
  package func threadEnds(within time: Duration) async -> Bool {
    guard let port = port.withLock({ $0 }) else { return true }
    return await port.threadEnds(within: time)
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
