import StepperCore

/// How long one kind of work may take in one wakeup.
///
/// It has no clock: whoever works says what each piece took. The first piece of a wakeup is always allowed, so
/// that there is progress however slow the machine is; the last one may exceed the budget.
struct WorkBudget: Hashable {
  /// For each wakeup.
  let time: Duration
  private var spent = Duration.zero

  init(_ time: Duration) { self.time = time }

  var isSpent: Bool { spent >= time }

  mutating func spend(_ time: Duration) { spent += time }

  /// The next wakeup has come.
  mutating func renew() { spent = .zero }
}

/// What the kinds of work may take in a wakeup. Together they bound it to about 14 ms: the queue of a device in the
/// kernel holds about 20 frames, so one that reports 1,000 times a second loses nothing meanwhile.
enum WakeupTime {
  static let reading = Duration.milliseconds(4)
  static let publishing = Duration.milliseconds(4)
  static let answering = Duration.milliseconds(4)
  /// Enough for a whole queue of them.
  static let accepting = Duration.milliseconds(2)
}
