/// The state of a side of a bridge.
struct BridgeSideState: Hashable, Sendable {
  typealias Instant = SuspendingClock.Instant

  /// The most writes without an echo that are remembered. Echoes of older writes are not recognized.
  private static let mostOutstanding = 256

  var terms = BridgeTerms()
  var isPresent = false
  /// Whether the side is connected and has reported its value, or that it has none.
  var isKnown: Bool { isPresent && hasReported }
  private var hasReported = false
  /// The last reported value.
  private(set) var seen: Double?
  /// The value of the last write, unless another program has changed the side since.
  private var written: Double?
  /// The writes whose echo has not arrived, the oldest first.
  private var outstanding: [Double] = []
  /// The newest value to be written.
  private(set) var pending: Double?
  /// Whether a write is in progress, and the value to write again if that write is overtaken.
  private(set) var isWriting = false
  private var retried: Double?
  private var lastWrite: Instant?
  /// When the last write was done or given up.
  private var lastEnd: Instant?
  /// When the last value is no longer taken for an echo.
  private(set) var doubtEnds: Instant?
  /// Whether a value beyond the range has been reported.
  var hasReportedClamp = false

  /// Whether no write is pending or in progress.
  var isIdle: Bool { pending == nil && !isWriting }

  /// Whether no write is in progress and the echo of each has arrived.
  var isSettled: Bool { outstanding.isEmpty && !isWriting }

  /// The value that the side has once all writes are done; nil: unknown.
  var expected: Double? { pending ?? outstanding.last ?? seen }

  // MARK: Seeing

  enum Observation: Hashable {
    case news, echo
    /// News that may be the side's answer to a write, as it rounds.
    case correction
  }

  /// Decides whether `value`, the side's current value, is news. A side reports its values in order: after a new value, no value is the
  /// echo of an earlier write. If the side's rounding is unknown, a value that arrives during a write or within `settle` after it may be
  /// its echo. A later one is a correction, if `mayCorrect`.
  mutating func see(_ value: Double, at now: Instant, settle: Duration, mayCorrect: Bool) -> Observation {
    defer { seen = value }
    if let place = outstanding.lastIndex(where: { terms.isEcho(value, of: $0) }) {
      outstanding.removeSubrange(...place)
      doubtEnds = outstanding.isEmpty ? nil : now.advanced(by: settle)
      return .echo
    }
    if let seen, (value - seen).magnitude <= BridgeTerms.slack(seen) {
      // The writes have not changed anything yet.
      doubtEnds = outstanding.isEmpty ? nil : doubtEnds ?? now.advanced(by: settle)
      return .echo
    }
    if let written, terms.isEcho(value, of: written) { return .echo }
    let isAnswer = !terms.isRoundingKnown && !outstanding.isEmpty
    if isAnswer, !mayCorrect || isWriting || lastEnd.map({ now < $0.advanced(by: settle) }) ?? false {
      doubtEnds = now.advanced(by: settle)
      return .echo
    }
    noteNews()
    return isAnswer ? .correction : .news
  }

  /// Takes the first value of a side, which is not passed on.
  mutating func meet(_ value: Double?) {
    (seen, hasReported) = (value, true)
    forgetWrites()
  }

  /// Another program has set the side, so that a pending write is outdated.
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

  /// When ``pending`` may be written, at least `interval` after the last write; nil: it may not be written.
  func writingDeadline(at now: Instant, interval: Duration) -> Instant? {
    guard isPresent, pending != nil, !isWriting else { return nil }
    return max(lastWrite?.advanced(by: interval) ?? now, now)
  }

  /// Whether the side already has `value`, as it rounds it.
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

  /// The write is done. A value that was reported during the write is older than it; the echo may follow within `settle`.
  mutating func completeWrite(at now: Instant, settle: Duration) {
    endWriting(at: now)
    if doubtEnds != nil { doubtEnds = now.advanced(by: settle) }
  }

  private mutating func endWriting(at now: Instant) { (isWriting, retried, lastEnd) = (false, nil, now) }

  /// The write did not take place. If `again`, it is repeated.
  mutating func withdrawWrite(again: Bool, at now: Instant) {
    guard isWriting else { return }
    if again { pending = pending ?? retried }
    if !outstanding.isEmpty { outstanding.removeLast() }
    written = nil
    endWriting(at: now)
  }

  /// It is unknown whether the write took place. Its echo may arrive; the write is repeated unless the side has changed.
  mutating func leaveWrite(at now: Instant) {
    guard isWriting else { return }
    pending = pending ?? retried
    endWriting(at: now)
  }

  /// The side is disconnected. Its writes are kept, in case the same side is connected again.
  mutating func lose(at now: Instant) {
    leaveWrite(at: now)
    isPresent = false
    doubtEnds = nil
  }

  /// The side's terms have changed. Earlier writes beyond the new range no longer count as what the side was set to.
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
