/// A turn that requests wait for, so that they arrive no faster than a limit allows.
struct RequestTurn {
  /// Takes the next turn, and returns the time until it comes.
  let take: () -> Duration
  /// Returns a turn that was taken, because its request no longer waits.
  let giveBack: () -> Void
}
