import StepperCore

/// Determines when values are written.
///
/// - Changes are written `saveAfter` after the last of them, so that a turn of a knob causes one write. If changes continue,
///   they are written at the latest after the longer of `saveAfter` and `saveInterval`, counted from the first unsaved change.
/// - Writes begin at least `saveInterval` apart, which spares flash memory. Both rules are compatible, because an
///   unsaved change is later than the start of the last write.
/// - After a failure the write is repeated after 1 s, 2 s, 4 s … up to a minute, independently of both times.
/// - A request is performed as soon as no write is in progress, regardless of the rules above.
struct SaveSchedule: Hashable {
  var saveAfter: Duration
  var saveInterval: Duration

  /// The times of the first and the last of some changes.
  private struct Changes: Hashable {
    var first: Instant
    var last: Instant
  }

  /// Changes that are neither written nor being written.
  private var changes: Changes?
  /// Changes that are being written.
  private var writing: Changes?
  private var isWriting = false
  private var lastStart: Instant?
  private var isRequested = false
  private var retry = Retry(longestPause: .seconds(60))
  private(set) var firstFailure: Instant?

  init(saveAfter: Duration, saveInterval: Duration) {
    self.saveAfter = saveAfter
    self.saveInterval = saveInterval
  }

  /// Whether changes or requests are not on the disk yet.
  var isPending: Bool { changes != nil || isWriting || isRequested }

  /// The time of the next write; nil without unsaved changes, and during a write.
  var deadline: Instant? {
    guard !isWriting else { return nil }
    if isRequested { return Instant(nanoseconds: 0) }
    guard let changes else { return nil }
    if let next = retry.at { return next }
    let settled = min(changes.last + saveAfter, changes.first + max(saveAfter, saveInterval))
    return lastStart.map { max(settled, $0 + saveInterval) } ?? settled
  }

  /// Failures since the last success.
  var failures: Int { retry.failures }

  mutating func changed(at now: Instant) {
    changes = Changes(first: changes?.first ?? now, last: now)
  }

  /// A request to save immediately.
  mutating func request() { isRequested = true }

  /// A write of all changes until now has begun.
  mutating func began(at now: Instant) {
    (writing, changes) = (changes, nil)
    (isWriting, isRequested) = (true, false)
    lastStart = now
  }

  mutating func succeeded() {
    (writing, isWriting) = (nil, false)
    firstFailure = nil
    retry.clear()
  }

  /// The write has failed: its changes and requests are pending again.
  mutating func failed(at now: Instant) {
    changes = Changes(first: writing?.first ?? now, last: changes?.last ?? writing?.last ?? now)
    (writing, isWriting) = (nil, false)
    retry.failed(at: now)
    firstFailure = firstFailure ?? now
  }
}
