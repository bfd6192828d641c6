internal import Glibc
internal import Synchronization

/// Ctrl-C and `SIGTERM` as a request to end the program.
enum Interruption {
  private static let isWanted = Atomic(false)

  /// Whether the program was asked to end since ``watch()``.
  static var isRequested: Bool { isWanted.load(ordering: .relaxed) }

  /// From now on only a second signal ends the program.
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
