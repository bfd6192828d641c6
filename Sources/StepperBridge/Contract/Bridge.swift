internal import StepperCore

/// Keeps a control and something outside at the same value, as a value without clock and without input and output: instants
/// and inputs come in, writes come out.
///
/// - A value that comes back from a side within its rounding is not passed on, however late it comes.
/// - The hand wins: while the control is being moved, the newest value of the outside is pending, and is dropped when the
///   hand changes the control after it.
/// - Where the two meet, at the start and after one of them was disconnected, ``BridgeRules/start`` names the side whose
///   value counts; a value above ``BridgeRules/startAtMost`` is lowered.
/// - The latest value wins, ``BridgeRules/interval`` is kept, and the value at rest arrives, unless it may be what a side makes of
///   a write and too many of those have been passed on.
/// - A value beyond the range of the other side is clamped there.
///
/// ```swift
/// for effect in bridge.advance(to: .now, applying: .value(.outside, 40)) { perform(effect) }
/// wait(until: bridge.deadline)    // then advance(to: .now)
/// ```
/// ``Bridges`` does this for controls of a daemon.
public struct Bridge: Hashable, Sendable {
  /// CLOCK_MONOTONIC.
  public typealias Instant = SuspendingClock.Instant

  /// How the two sides are kept equal.
  public var rules: BridgeRules
  private var control = BridgeSideState()
  private var outside = BridgeSideState()
  private var isEditing = false
  /// Whether the two have met since both are connected.
  private var hasBegun = false
  /// Values that are passed on and may be what a side makes of those written to it. Two bridges of one control whose outsides
  /// round differently, and do not say so, would correct each other for ever.
  private var corrections = RateLimit(every: .seconds(10), burst: 10)
  /// Time never runs backwards.
  private var last: Instant?

  /// A bridge between two sides that are not connected yet.
  public init(_ rules: BridgeRules = BridgeRules()) { self.rules = rules }

  /// Advances to `now`, applies `input`, and returns what is to be done, in its order.
  public mutating func advance(to now: Instant, applying input: BridgeInput? = nil) -> [BridgeEffect] {
    let now = max(now, last ?? now)
    last = now
    // Deadlines precede inputs.
    var effects = settled(at: now)
    if let input {
      apply(input, at: now)
      effects += writes(at: now)
    }
    return effects
  }

  /// When to advance it next without an input; nil: not before there is one. It may be in the past.
  public var deadline: Instant? {
    guard let last else { return nil }
    return BridgeSide.allCases.flatMap { side in
      [
        mayWrite(side) ? self[side].writingDeadline(at: last, interval: rules.interval) : nil,
        doubtEnds(side),
      ].compactMap(\.self)
    }.min()
  }

  /// The last value that the side reported.
  public func value(of side: BridgeSide) -> Double? { self[side].seen }

  /// Whether the two have met and no write is pending, in progress or without its echo.
  public var isAtRest: Bool {
    hasBegun && control.isIdle && outside.isIdle && control.doubtEnds == nil && outside.doubtEnds == nil
  }

  /// Whether there is a write in progress, or one that is only waiting for its time.
  package var isWriting: Bool {
    BridgeSide.allCases.contains { self[$0].isWriting || (mayWrite($0) && self[$0].pending != nil) }
  }

  private subscript(side: BridgeSide) -> BridgeSideState {
    get { side == .control ? control : outside }
    set { if side == .control { control = newValue } else { outside = newValue } }
  }
}

extension Bridge {
  private mutating func apply(_ input: BridgeInput, at now: Instant) {
    switch input {
    case .connected(let side, let terms):
      self[side].connect(terms)
      if side == .control { isEditing = false }
      hasBegun = false
      self[side.other].want(nil)
    case .resumed(let side): self[side].isPresent = true
    case .terms(let side, let terms): self[side].change(terms)
    case .lost(let side): self[side].lose()
    case .value(_, let value?) where !value.isFinite: break
    case .value(let side, let value): see(side, value, at: now)
    case .editing(let isEditing): self.isEditing = isEditing
    case .written(let side): self[side].endWriting()
    case .overtaken(let side): self[side].withdrawWrite(again: true)
    case .unanswered(let side): self[side].leaveWrite()
    case .refused(let side): self[side].withdrawWrite(again: false)
    }
  }

  private mutating func see(_ side: BridgeSide, _ value: Double?, at now: Instant) {
    guard hasBegun else { return meet(side, value) }
    guard let value else { return self[side].meet(nil) }
    let instant = BridgeClock.instant(now)
    let mayCorrect = corrections.allows(at: instant)
    switch self[side].see(value, at: now, settle: rules.settle, mayCorrect: mayCorrect) {
    case .echo: return
    case .correction: _ = corrections.take(at: instant)
    case .news: break
    }
    self[side.other].want(value)
  }

  // MARK: The start

  private mutating func meet(_ side: BridgeSide, _ value: Double?) {
    let former = self[side].seen
    self[side].meet(value)
    guard control.isKnown, outside.isKnown else { return }
    switch (control.seen, outside.seen) {
    case (_?, _?): begin(with: rules.start)
    case (nil, _?): begin(with: .outside)
    case (let control?, nil):
      // An outside that is to begin may report its value until a hand moves the control.
      let isMoved = former.map { $0 != control } ?? false
      if rules.start == .control || isMoved { begin(with: .control) }
    case (nil, nil): break
    }
  }

  /// The value of `side` counts.
  private mutating func begin(with side: BridgeSide) {
    hasBegun = true
    guard let value = self[side].seen else { return }
    let agreed = lowered(value)
    // A write without its echo changes the side after the value that it has reported.
    let isSettled = control.isSettled && outside.isSettled
    guard agreed != value || !areEqual || !isSettled else { return }
    let other = side.other
    // What is beyond its range is clamped, and told.
    if !self[other].has(agreed) || !self[other].terms.range.contains(agreed) { self[other].want(agreed) }
    if agreed != value || !self[side].isSettled, !self[side].has(agreed) { self[side].want(agreed) }
  }

  /// What the two may meet with instead of `value`; of an outside with few steps, one that is not above the highest that is
  /// allowed, as the control shows it.
  private func lowered(_ value: Double) -> Double {
    guard let most = rules.startAtMost else { return value }
    let agreed = value > most ? control.terms.clamp(most) : value
    let shown = most + control.terms.rounding
    return outside.terms.nearest(agreed) > shown ? outside.terms.highest(upTo: shown) : agreed
  }

  /// Whether the value of one side is that of the other, as the one rounds it. What a side has because it cannot have more
  /// is not equal to that.
  private var areEqual: Bool {
    guard let control = control.seen, let outside = outside.seen else { return false }
    return self.control.terms.isEqual(control, to: outside)
      || self.outside.terms.isEqual(outside, to: control)
  }

  // MARK: What is due

  private mutating func settled(at now: Instant) -> [BridgeEffect] {
    for side in BridgeSide.allCases {
      guard let end = doubtEnds(side), end <= now, let value = self[side].seen else { continue }
      // It rests at this value: another program set it, or the device rounds to it.
      let isNews = !isEcho(value, of: side, to: self[side.other].expected)
      self[side].meet(value)
      if isNews, corrections.take(at: BridgeClock.instant(now)) { self[side.other].want(value) }
    }
    return writes(at: now)
  }

  private func isEcho(_ value: Double, of side: BridgeSide, to other: Double?) -> Bool {
    guard let other else { return false }
    return self[side].terms.isEcho(value, of: other) || self[side.other].terms.isEcho(other, of: value)
  }

  /// When the last value of the side is no longer taken for an echo; nil while a write to it is pending or in progress.
  private func doubtEnds(_ side: BridgeSide) -> Instant? {
    self[side].isPresent && self[side].isIdle && hasBegun ? self[side].doubtEnds : nil
  }

  private func mayWrite(_ side: BridgeSide) -> Bool {
    hasBegun && control.isPresent && outside.isPresent && !(side == .control && isEditing)
  }

  private mutating func writes(at now: Instant) -> [BridgeEffect] {
    BridgeSide.allCases.flatMap { side in write(side, at: now) }
  }

  private mutating func write(_ side: BridgeSide, at now: Instant) -> [BridgeEffect] {
    guard mayWrite(side), let due = self[side].writingDeadline(at: now, interval: rules.interval), due <= now,
      let pending = self[side].pending
    else { return [] }
    let value = self[side].terms.clamp(pending)
    var effects: [BridgeEffect] = []
    if value != pending, !self[side].hasReportedClamp {
      self[side].hasReportedClamp = true
      effects.append(.clamped(side, pending, to: value))
    }
    // A control is exact but for its digits, so that nothing is to be written; an outside may round more than it reports.
    guard !self[side].has(value) || (side == .outside && self[side].seen != value) else {
      self[side].want(nil)
      return effects
    }
    self[side].beginWriting(value, at: now)
    return effects + [.write(side, value)]
  }
}
