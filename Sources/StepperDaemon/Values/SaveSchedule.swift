import StepperCore

/// When to write.
///
/// - A change is written `saveAfter` after the last one, so that a turn of a knob is one write; but at the latest the
///   longer of both times after the first change that is not written yet, however long the turning goes on.
/// - Writes begin at least `saveInterval` apart, which spares flash memory. Both rules hold at once, since a change
///   that is not written yet came after the last write began.
/// - After a failure it is tried again in 1 s, 2 s, 4 s … up to a minute, whatever both times are.
/// - A request is met as soon as nothing is being written, whatever was said above.
struct SaveSchedule: Hashable {
  var saveAfter: Duration
  var saveInterval: Duration

  /// The first and the last of some changes.
  private struct Changes: Hashable {
    var first: Instant
    var last: Instant
  }

  /// What is not written, nor being written.
  private var changes: Changes?
  /// What is being written.
  private var writing: Changes?
  private var isWriting = false
  private var lastStart: Instant?
  private var isRequested = false
  /// Failures since the last success.
  private(set) var failures = 0
  private(set) var firstFailure: Instant?
  private var retry: Instant?

  private static let longestPause = Duration.seconds(60)

  init(saveAfter: Duration, saveInterval: Duration) {
    self.saveAfter = saveAfter
    self.saveInterval = saveInterval
  }

  /// Whether there is anything that is not on the disk.
  var isPending: Bool { changes != nil || isWriting || isRequested }

  /// When to write; nil while there is nothing to write or a write goes on.
  var deadline: Instant? {
    guard !isWriting else { return nil }
    if isRequested { return Instant(nanoseconds: 0) }
    guard let changes else { return nil }
    if let retry { return retry }
    let settled = min(changes.last + saveAfter, changes.first + max(saveAfter, saveInterval))
    return lastStart.map { max(settled, $0 + saveInterval) } ?? settled
  }

  mutating func changed(at now: Instant) {
    changes = Changes(first: changes?.first ?? now, last: now)
  }

  /// Somebody wants everything to be written now.
  mutating func request() { isRequested = true }

  /// Everything up to now is being written.
  mutating func began(at now: Instant) {
    (writing, changes) = (changes, nil)
    (isWriting, isRequested, retry) = (true, false, nil)
    lastStart = now
  }

  mutating func succeeded() {
    (writing, isWriting) = (nil, false)
    (failures, firstFailure) = (0, nil)
  }

  /// What was being written is still to be written, also where it was only requested.
  mutating func failed(at now: Instant) {
    changes = Changes(first: writing?.first ?? now, last: changes?.last ?? writing?.last ?? now)
    (writing, isWriting) = (nil, false)
    let pause = Duration.seconds(Int64(1) << min(failures, 6))
    retry = now + min(pause, Self.longestPause)
    failures += 1
    firstFailure = firstFailure ?? now
  }
}
