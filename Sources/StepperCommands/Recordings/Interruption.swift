internal import Glibc
internal import StepperCore
internal import StepperLinux
internal import Synchronization

/// Ctrl-C and `SIGTERM` as a request to end the program.
enum Interruption {
  private static let isWanted = Atomic(false)

  /// Whether the program was asked to end since ``watch()``.
  static var isRequested: Bool { isWanted.load(ordering: .relaxed) }

  /// Calls `body` until it returns a result. `body` waits at most for the time in its parameter. Returns nil at the
  /// deadline, or if the user ends the program.
  static func poll<Result>(
    until deadline: Instant?, _ body: (_ timeout: Duration) throws -> Result?
  ) rethrows -> Result? {
    while !isRequested {
      let left = deadline.map { $0 - .now } ?? .milliseconds(100)
      guard left > .zero else { return nil }
      if let result = try body(min(left, .milliseconds(100))) { return result }
    }
    return nil
  }

  /// From now on the first signal is a request, and only a second one ends the program.
  static func watch() {
    _ = isRequested
    for number in [SIGINT, SIGTERM] {
      signal(number) { number in
        Interruption.isWanted.store(true, ordering: .relaxed)
        signal(number, SIG_DFL)
      }
    }
  }
}
