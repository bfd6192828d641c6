/// The state of a side of a bridge.
struct BridgeSideState: Hashable, Sendable {
  typealias Instant = SuspendingClock.Instant

  /// How many writes without an echo are remembered; the echo of an older one is not recognized.
  private static let mostOutstanding = 256

  var terms = BridgeTerms()
  var isPresent = false
  /// Whether it is connected and has reported its value, or that it has none.
  var isKnown: Bool { isPresent && hasReported }
  private var hasReported = false
  /// The last value that was reported.
  private(set) var seen: Double?
  /// The value of the last write, unless another program has changed the side since.
  private var written: Double?
  /// The writes whose echo has not come, the oldest first.
  private var outstanding: [Double] = []
  /// The newest value that is to be written.
  private(set) var pending: Double?
  /// Whether a write is in progress, and the value to write again if it is overtaken.
  private(set) var isWriting = false
  private var retried: Double?
  private var lastWrite: Instant?
  /// When the last value is no longer taken for an echo.
  private(set) var doubtEnds: Instant?
  /// Whether it was reported that a value is beyond the range.
  var hasReportedClamp = false

  /// Whether no write is pending or in progress.
  var isIdle: Bool { pending == nil && !isWriting }

  /// Whether no write is in progress, and the echo of each has come.
  var isSettled: Bool { outstanding.isEmpty && !isWriting }

  /// The value that it has when all writes have come; nil: unknown.
  var expected: Double? { pending ?? outstanding.last ?? seen }

  // MARK: Seeing

  enum Observation: Hashable {
    case news, echo
    /// News that may be an answer to a write: what the side makes of it.
    case correction
  }

  /// Decides whether `value`, which the side has now, is new. A side reports its values in their order: after a new value,
  /// none is the echo of an earlier write. Where it is not known how a side rounds, what follows a write within `settle`
  /// may be its echo, and what follows later is a correction, if `mayCorrect`.
  mutating func see(_ value: Double, at now: Instant, settle: Duration, mayCorrect: Bool) -> Observation {
    defer { seen = value }
    if let place = outstanding.lastIndex(where: { terms.isEcho(value, of: $0) }) {
      outstanding.removeSubrange(...place)
      doubtEnds = outstanding.isEmpty ? nil : now.advanced(by: settle)
      return .echo
    }
    if let seen, (value - seen).magnitude <= BridgeTerms.slack(seen) {
      // The writes have changed nothing, or not yet.
      doubtEnds = outstanding.isEmpty ? nil : doubtEnds ?? now.advanced(by: settle)
      return .echo
    }
    if let written, terms.isEcho(value, of: written) { return .echo }
    let isAnswer = !terms.isRoundingKnown && !outstanding.isEmpty
    if isAnswer, !mayCorrect || lastWrite.map({ now < $0.advanced(by: settle) }) ?? false {
      doubtEnds = now.advanced(by: settle)
      return .echo
    }
    noteNews()
    return isAnswer ? .correction : .news
  }

  /// The first value of a side: it is not passed on.
  mutating func meet(_ value: Double?) {
    (seen, hasReported) = (value, true)
    forgetWrites()
  }

  /// Another program has set the side: a pending write is older.
  mutating func noteNews() {
    forgetWrites()
    pending = nil
    retried = nil
  }

  private mutating func forgetWrites() {
    (written, doubtEnds) = (nil, nil)
    outstanding = []
  }

  // MARK: Writing

  mutating func want(_ value: Double?) { pending = value }

  /// When ``pending`` may be written, `interval` after the last write; nil: it may not.
  func writingDeadline(at now: Instant, interval: Duration) -> Instant? {
    guard isPresent, pending != nil, !isWriting else { return nil }
    return max(lastWrite?.advanced(by: interval) ?? now, now)
  }

  /// Whether the side has `value` already, as it rounds it.
  func has(_ value: Double) -> Bool {
    guard let seen, isSettled else { return false }
    return terms.isEcho(seen, of: value)
  }

  mutating func beginWriting(_ value: Double, at now: Instant) {
    (retried, pending, lastWrite) = (value, nil, now)
    (isWriting, written) = (true, value)
    outstanding.append(value)
    if outstanding.count > Self.mostOutstanding { outstanding.removeFirst() }
    doubtEnds = nil
  }

  mutating func endWriting() { (isWriting, retried) = (false, nil) }

  /// The write did not take place; `again`: it is repeated.
  mutating func withdrawWrite(again: Bool) {
    guard isWriting else { return }
    if again { pending = pending ?? retried }
    if !outstanding.isEmpty { outstanding.removeLast() }
    written = nil
    endWriting()
  }

  /// It is not known whether the write took place: its echo may come, and it is repeated unless the side has changed.
  mutating func leaveWrite() {
    guard isWriting else { return }
    pending = pending ?? retried
    endWriting()
  }

  /// It is disconnected. Writes remain, in case that the side is the same when it is connected again.
  mutating func lose() {
    leaveWrite()
    isPresent = false
    doubtEnds = nil
  }

  /// It has other terms. What it was given beyond their range is not what it was set to by them.
  mutating func change(_ terms: BridgeTerms) {
    (self.terms, hasReportedClamp) = (terms, false)
    outstanding.removeAll { !terms.range.contains($0) }
    if let written, !terms.range.contains(written) { self.written = nil }
  }

  mutating func connect(_ terms: BridgeTerms) {
    self = BridgeSideState()
    self.terms = terms
    isPresent = true
  }
}
