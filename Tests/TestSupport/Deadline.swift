import Glibc

/// Something a test waited for in vain.
package struct TestFailure: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// A moment after which waiting ends; tests wait for the thing itself, and this only bounds it.
package struct Deadline: Sendable {
  private let milliseconds: Int

  /// By default long enough for a machine with much else to do.
  package init(in seconds: Double = 60) { milliseconds = Self.now + Int(seconds * 1_000) }

  package var hasPassed: Bool { Self.now >= milliseconds }

  /// Waits until `descriptor` has something to read, or its end; false at the deadline.
  package func waitForInput(on descriptor: CInt) -> Bool {
    while true {
      let left = milliseconds - Self.now
      guard left > 0 else { return false }
      var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let result = unsafe poll(&wanted, 1, CInt(left))
      if result > 0 { return true }
      if result < 0, errno != EINTR { return false }
    }
  }

  /// Looks again and again until `condition` holds, for what nothing can be waited on; false at the deadline.
  package func wait(until condition: () -> Bool) -> Bool {
    while !hasPassed {
      if condition() { return true }
      _ = poll(nil, 0, 5)
    }
    return condition()
  }

  private static var now: Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
  }
}

/// Waits until `condition` holds, for at most two minutes, which is long enough for a machine with much else to do; what
/// throws does not hold yet.
package func eventually(file: StaticString = #fileID, line: Int = #line, _ condition: () throws -> Bool)
  throws
{
  // It is asked again.
  guard Deadline(in: 120).wait(until: { (try? condition()) ?? false }) else {
    throw TestFailure("it did not happen within 2 minutes: \(file):\(line)")
  }
}
