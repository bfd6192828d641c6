internal import Dispatch
internal import Glibc

/// A system call of a test's peer failed, or it did not get what it waited for.
package struct PeerError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }

  static func system(_ call: String) -> PeerError {
    PeerError("\(call): \(unsafe String(cString: strerror(errno)))")
  }
}

/// No peer waits longer than this for anything.
let patienceMilliseconds: CInt = 20_000

func waitUntilReadable(_ descriptor: CInt, for what: String) throws(PeerError) {
  var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  let count = unsafe poll(&polled, 1, patienceMilliseconds)
  guard count > 0 else { throw count < 0 ? .system("poll") : PeerError("waited too long for \(what)") }
}

/// What a peer on its thread waits for.
package final class Signal: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  package init() {}

  package func give() { semaphore.signal() }

  package func wait() throws(PeerError) {
    guard semaphore.wait(timeout: .now() + .milliseconds(Int(patienceMilliseconds))) == .success else {
      throw PeerError("waited too long for the test")
    }
  }
}

/// Runs `body` on a thread of its own, where it may block, and returns what it returned.
package func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    startThread { continuation.resume(with: Result(catching: body)) }
  }
}

/// Runs `body` on a new thread.
package func startThread(_ body: @escaping @Sendable () -> Void) {
  let box = unsafe Unmanaged.passRetained(Body(body))
  var thread = pthread_t()
  let result = unsafe pthread_create(
    &thread, nil,
    { argument in
      guard let argument = unsafe argument else { return nil }
      unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
      return nil
    }, box.toOpaque())
  precondition(result == 0, "no thread left for the test")
  pthread_detach(thread)
}

private final class Body: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// Work on a thread of its own that begins at once, even where every thread of the concurrency runtime is busy.
package struct PeerThread<Value: Sendable>: Sendable {
  private let results: AsyncThrowingStream<Value, any Error>

  package init(_ body: @escaping @Sendable () throws -> Value) {
    let (results, continuation) = AsyncThrowingStream.makeStream(of: Value.self)
    self.results = results
    startThread {
      do {
        continuation.yield(try body())
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
  }

  /// What it returned, once it has.
  package var value: Value {
    get async throws {
      for try await value in results { return value }
      throw PeerError("the thread was not waited for to its end")
    }
  }
}
