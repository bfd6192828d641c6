/// A turn that requests wait for, so that they come no faster than a limit allows.
struct RequestTurn {
  /// Takes the next one, and returns in how long it comes.
  let take: () -> Duration
  /// Gives back one that was taken, because its request is not waited for any more.
  let giveBack: () -> Void
}
