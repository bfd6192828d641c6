internal import StepperCore

/// Keeps a control and something outside at the same value. It is a value type without a clock, input and output: instants and inputs
/// come in, writes come out.
///
/// - A value that a side reports back within its rounding is not passed on, however late it arrives.
/// - The hand wins: while a hand moves the control, the newest value of the outside is pending. It is dropped if the hand changes
///   the control after it.
/// - When the two sides meet, at the start and after one of them was disconnected, ``BridgeRules/start`` names the side whose
///   value wins; a value above ``BridgeRules/startAtMost`` is lowered.
/// - The latest value wins, ``BridgeRules/interval`` is kept, and the value at rest arrives. The exception is a value that may be a
///   side's answer to a write, if too many of those have been passed on.
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

  /// The rules by which the two sides are kept equal.
  public var rules: BridgeRules
  private var control = BridgeSideState()
  private var outside = BridgeSideState()
  private var isEditing = false
  /// Whether the two sides have met since both were connected.
  private var hasBegun = false
  /// Limits values that are passed on although they may be a side's answer to a write. Without this limit, two bridges of one control
  /// whose outsides round differently, and do not say so, would correct each other for ever.
  private var corrections = RateLimit(every: .seconds(10), burst: 10)
  /// The latest instant so far: time never runs backwards.
  private var last: Instant?

  /// Creates a bridge between two sides that are not connected yet.
  public init(_ rules: BridgeRules = BridgeRules()) { self.rules = rules }

  /// Advances to `now`, applies `input`, and returns what to do, in order.
  public mutating func advance(to now: Instant, applying input: BridgeInput? = nil) -> [BridgeEffect] {
    let now = max(now, last ?? now)
    last = now
    // Deadlines are handled before the input.
    var effects = settled(at: now)
    if let input {
      apply(input, at: now)
      effects += writes(at: now)
    }
    return effects
  }

  /// When to advance the bridge next if there is no input; nil: only when there is one. The deadline may be in the past.
  public var deadline: Instant? {
    guard let last else { return nil }
    return BridgeSide.allCases.flatMap { side in
      [
        mayWrite(side) ? self[side].writingDeadline(at: last, interval: rules.interval) : nil,
        doubtEnds(side),
      ].compactMap(\.self)
    }.min()
  }

  /// The last value that `side` reported.
  public func value(of side: BridgeSide) -> Double? { self[side].seen }

  /// Whether the two sides have met, and no write is pending, in progress or missing its echo.
  public var isAtRest: Bool {
    hasBegun && control.isIdle && outside.isIdle && control.doubtEnds == nil && outside.doubtEnds == nil
  }

  /// Whether a write is in progress, or only waits for its time.
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
    case .lost(let side): self[side].lose(at: now)
    case .value(_, let value?) where !value.isFinite: break
    case .value(let side, let value): see(side, value, at: now)
    case .editing(let isEditing): self.isEditing = isEditing
    case .written(let side): self[side].completeWrite(at: now, settle: rules.settle)
    case .overtaken(let side): self[side].withdrawWrite(again: true, at: now)
    case .unanswered(let side): self[side].leaveWrite(at: now)
    case .refused(let side): self[side].withdrawWrite(again: false, at: now)
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
      // If the outside determines the start, it may report its value later, until a hand moves the control.
      let isMoved = former.map { $0 != control } ?? false
      if rules.start == .control || isMoved { begin(with: .control) }
    case (nil, nil): break
    }
  }

  /// The value of `side` becomes the value of both.
  private mutating func begin(with side: BridgeSide) {
    hasBegun = true
    guard let value = self[side].seen else { return }
    let agreed = lowered(value)
    // A write whose echo is missing changes the side after the value that it has reported.
    let isSettled = control.isSettled && outside.isSettled
    guard agreed != value || !areEqual || !isSettled else { return }
    let other = side.other
    // A value beyond the range of the other side is clamped there, and this is reported.
    if !self[other].has(agreed) || !self[other].terms.range.contains(agreed) { self[other].want(agreed) }
    if agreed != value || !self[side].isSettled, !self[side].has(agreed) { self[side].want(agreed) }
  }

  /// The value at which the two sides may meet, instead of `value`. If the outside has few steps, this is a step that, as the control
  /// shows it, is not above the highest permitted value.
  private func lowered(_ value: Double) -> Double {
    guard let most = rules.startAtMost else { return value }
    let agreed = value > most ? control.terms.clamp(most) : value
    let shown = most + control.terms.rounding
    return outside.terms.nearest(agreed) > shown ? outside.terms.highest(upTo: shown) : agreed
  }

  /// Whether the value of one side equals that of the other, as the first rounds it. A value at the end of a range, where the other
  /// side's value lies beyond, does not count as equal.
  private var areEqual: Bool {
    guard let control = control.seen, let outside = outside.seen else { return false }
    return self.control.terms.isEqual(control, to: outside)
      || self.outside.terms.isEqual(outside, to: control)
  }

  // MARK: What is due

  private mutating func settled(at now: Instant) -> [BridgeEffect] {
    for side in BridgeSide.allCases {
      guard let end = doubtEnds(side), end <= now, let value = self[side].seen else { continue }
      // The side stays at this value: another program has set it, or the device rounds to it.
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

  /// When the last value of `side` is no longer taken for an echo; nil: also while a write to it is pending or in progress.
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
    // A control is exact up to its digits, so that nothing needs to be written. An outside may round more than its reports show.
    guard !self[side].has(value) || (side == .outside && self[side].seen != value) else {
      self[side].want(nil)
      return effects
    }
    self[side].beginWriting(value, at: now)
    return effects + [.write(side, value)]
  }
}
