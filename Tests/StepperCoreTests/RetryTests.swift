import StepperCore
import Testing

@Suite("Pauses between attempts")
struct RetryTests {
  private func pause(_ retry: inout Retry, at now: Instant) -> Duration {
    retry.failed(at: now)
    return (retry.at ?? now) - now
  }

  @Test("double up to the longest")
  func doubles() {
    var retry = Retry(shortestPause: .milliseconds(100), longestPause: .seconds(2))
    let pauses = (0..<70).map { _ in pause(&retry, at: .start) }
    let growing: [Duration] = [100, 200, 400, 800, 1_600, 2_000].map { .milliseconds($0) }
    #expect(Array(pauses.prefix(6)) == growing)
    #expect(pauses.dropFirst(6).allSatisfy { $0 == .seconds(2) })
    retry.clear()
    #expect(!retry.isDue(at: .start + .seconds(100)))
    #expect(pause(&retry, at: .start) == .milliseconds(100))
  }

  @Test("may be shorter than that, and grow as if they were not")
  func jitter() {
    var retry = Retry()
    for expected in [1, 2, 4] {
      #expect(retry.pause(at: .start) == .seconds(expected))
      retry.failed(at: .start, pause: .milliseconds(3))
      #expect(retry.at == .start + .milliseconds(3))
    }
  }

  @Test("go on growing for what succeeds and ends at once, and begin anew for what lasted")
  func comesAndGoes() {
    var retry = Retry(
      shortestPause: .milliseconds(100), longestPause: .seconds(2), stableAfter: .seconds(10), firstAt: .start
    )
    var now = Instant.start
    #expect(retry.isDue(at: now))
    for expected in [100, 200, 400, 800, 1600, 2000, 2000] {
      retry.begin()
      #expect(!retry.isDue(at: now + .seconds(1_000)))
      retry.succeed(at: now)
      now = now + .seconds(9)
      // What is said again does not count from there.
      retry.succeed(at: now)
      #expect(pause(&retry, at: now) == .milliseconds(expected))
      now = retry.at ?? now
    }
    retry.begin()
    retry.succeed(at: now)
    #expect(pause(&retry, at: now + .seconds(10)) == .milliseconds(100))
  }
}

extension Instant {
  fileprivate static let start = Instant(nanoseconds: 1_000_000_000)
}
