/// The time for one kind of work in one wakeup.
///
/// It has no clock: the caller reports the time of each piece of work. The first piece of a wakeup is always allowed,
/// so that a slow machine makes progress; the last one may exceed the budget.
struct WorkBudget: Hashable {
  /// The time limit of a wakeup.
  let time: Duration
  private var spent = Duration.zero
  /// Whether work was left in the last wakeup that had any.
  private var hasOverrun = false

  init(_ time: Duration) { self.time = time }

  var isSpent: Bool { spent >= time }

  mutating func spend(_ time: Duration) { spent += time }

  /// Records that work is left for the next wakeup.
  mutating func noteOverrun() { hasOverrun = true }

  /// Whether there is time for all `pieces`, whatever their order. False if one is of unknown length, or if the last
  /// estimate was wrong.
  mutating func holds(_ pieces: some Sequence<Duration>) -> Bool {
    var left = time - spent
    guard !hasOverrun else {
      hasOverrun = false
      return false
    }
    for piece in pieces {
      left -= piece
      guard piece > .zero, left > .zero else { return false }
    }
    return true
  }

  /// A new wakeup begins.
  mutating func renew() { spent = .zero }
}

/// The time limit for each kind of work in a wakeup. Together they limit a wakeup to about 29 ms, and to 19 ms unless
/// more is held than the machine can repeat. The kernel's queue of a device holds about 20 frames, so a device with
/// 1,000 frames per second loses none in 19 ms.
enum WakeupTime {
  static let reading = Duration.milliseconds(4)
  /// Repeats of everything that is held, and the work that they cause. Enough to catch up after a stall on a slow board.
  static let repeating = Duration.milliseconds(10)
  static let publishing = Duration.milliseconds(4)
  static let answering = Duration.milliseconds(4)
  /// Calls of providers, which are answered before inputs are applied.
  static let reporting = Duration.milliseconds(1)
  /// Starts, output and ends of commands.
  static let hooks = Duration.milliseconds(4)
  /// Enough for a full queue of connections.
  static let accepting = Duration.milliseconds(2)
}
