internal import Glibc
internal import Synchronization

/// Ctrl-C, and `SIGTERM`, as a request to come to an end.
enum Interruption {
  private static let isWanted = Atomic(false)

  /// Whether the program was asked to end since ``watch()``.
  static var isRequested: Bool { isWanted.load(ordering: .relaxed) }

  /// From now on the signals do not end the program at once; a second one does.
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
