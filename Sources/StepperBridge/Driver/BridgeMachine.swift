package import StepperClient
package import StepperInterfaces

/// A bridge between the replies of a daemon and the reports of an outside. It is a value without a clock, input and output. ``Bridge``
/// deals with values, and this type with the terms of the two sides. A driver passes inputs and performs effects.
package struct BridgeMachine: Sendable {
  package typealias Instant = SuspendingClock.Instant

  package enum Input: Sendable {
    /// The daemon is disconnected, with the reason.
    case daemonLost(String)
    /// A reply to the subscription, which includes descriptions.
    case replied(ControlInterface.Subscribe.Reply)
    /// The answer to ``Effect/describe``; nil: there is no such control.
    case described(Result<ControlInterface.Description?, StepperClientError>)
    /// The answer to ``Effect/set(_:)``.
    case answered(ControlWrite, Result<ControlInterface.State, StepperClientError>)
    case outside(OutsideChange)
    /// The last requested write is done.
    case outsideWritten
    /// The outside has ended, with the reason.
    case outsideLost(String)
    /// The bridge is about to end: pending writes are made regardless of the interval.
    case end
  }

  package enum Effect: Hashable, Sendable {
    case set(ControlWrite)
    /// Get the description of the control.
    case describe
    /// Write the value to the outside, in its unit.
    case write(Double)
    case report(BridgeReport)
  }

  /// A value for the control, clamped to its range. It is set only if the control still has the sequence number.
  package struct ControlWrite: Hashable, Sendable {
    package let value: Double
    package let sequence: Int64
    /// Tells the answer apart from one on another connection.
    fileprivate let turn: Int
  }

  /// How long to wait before repeating a call that the daemon could not take at the time.
  private static let pause = Duration.milliseconds(250)

  package let control: String
  private let scale: BridgeScale
  private var bridge: Bridge
  private var now = Instant.now
  private var effects: [Effect] = []

  // The control.
  private var controlTerms: BridgeTerms?
  private var sequence: Int64 = 0
  private var isDaemonThere = false
  private var turn = 0
  /// The state of the control while its description is not known.
  private var undescribed: ControlInterface.State?
  /// Whether the description was requested on this connection.
  private var isDescribing = false
  /// When the description is requested again.
  private var nextDescription: Instant?
  /// When a write that failed temporarily is tried again.
  private var retry: Instant?
  // The outside.
  private var outsideTerms: BridgeTerms?
  private var outsideValue: Double??
  private var conversion: BridgeConversion?
  private var lastReport: BridgeReport?
  private var lastRefusal: BridgeReport?

  package init(_ control: String, _ scale: BridgeScale, _ rules: BridgeRules) {
    (self.control, self.scale) = (control, scale)
    bridge = Bridge(rules)
  }

  /// Advances to `now`, applies `input`, and returns what to do, in order.
  package mutating func advance(to now: Instant, applying input: Input? = nil) -> [Effect] {
    self.now = now
    effects = []
    if let due = retry, due <= now {
      retry = nil
      feed(.unanswered(.control))
    } else {
      feed(nil)
    }
    if let due = nextDescription, due <= now { describe() }
    if let input { apply(input) }
    return effects
  }

  /// When to advance the machine next if there is no input; nil: only when there is one.
  package var deadline: Instant? { [bridge.deadline, retry, nextDescription].compactMap(\.self).min() }

  /// Whether the answer to `write` is still relevant.
  package func isCurrent(_ write: ControlWrite) -> Bool { write.turn == turn }

  /// Whether a write is in progress or due.
  package var isWriting: Bool { bridge.isWriting }

  private mutating func apply(_ input: Input) {
    switch input {
    case .daemonLost(let reason):
      newTurn()
      (isDaemonThere, isDescribing, nextDescription) = (false, false, nil)
      report(.daemonLost(reason))
      feed(.lost(.control))
    case .replied(let reply): take(reply)
    case .described(let result): described(result)
    case .answered(let write, let result): answered(write, result)
    case .outside(.terms(let terms)):
      (outsideTerms, outsideValue) = (terms, nil)
      connectOutside()
    case .outside(.value(let value)):
      guard outsideTerms != nil else { return }
      outsideValue = .some(value)
      guard let conversion else { return }
      feed(.value(.outside, value.map(conversion.control)))
      reportConnected()
    case .outsideWritten: feed(.written(.outside))
    case .end:
      bridge.rules.interval = .zero
      feed(nil)
    case .outside(.away(let reason)), .outsideLost(let reason):
      (outsideTerms, outsideValue, conversion) = (nil, nil, nil)
      feed(.lost(.outside))
      report(.outsideLost(reason))
    }
  }

  private mutating func feed(_ input: BridgeInput?) {
    for effect in bridge.advance(to: now, applying: input) {
      switch effect {
      case .write(.control, let value):
        effects.append(.set(ControlWrite(value: value, sequence: sequence, turn: turn)))
      case .write(.outside, let value):
        if let conversion { effects.append(.write(conversion.outside(value))) }
      case .clamped(let side, let value, let end): effects.append(.report(.clamped(side, value, to: end)))
      }
    }
  }

  // MARK: Reports

  private mutating func reportConnected() {
    guard isDaemonThere, controlTerms != nil, conversion != nil, outsideValue != nil else { return }
    report(.connected)
  }

  /// Reports a change. The same report is not made twice in a row.
  private mutating func report(_ report: BridgeReport) {
    guard report != lastReport else { return }
    (lastReport, lastRefusal) = (report, nil)
    effects.append(.report(report))
  }
}

// MARK: The control

extension BridgeMachine {
  private mutating func take(_ reply: ControlInterface.Subscribe.Reply) {
    let state = reply.states.first { $0.control == control }
    guard !reply.snapshot else {
      let description = reply.descriptions?.first { $0.control == control }
      let isWhole = description.map { $0.kind != .choice || $0.choices != nil } ?? false
      guard !isWhole, let state else { return meet(description, state) }
      // The reply had no room for the description or its choices: until they arrive, the control is treated as absent.
      undescribed = state
      return describe()
    }
    // An update may arrive before the description of the first snapshot.
    if !isDaemonThere, !isDescribing {
      isDaemonThere = true
      report(.daemonRegained)
      if controlTerms != nil { feed(.resumed(.control)) }
      // The answer to the request was lost with the connection.
      if undescribed != nil { describe() }
    }
    if undescribed != nil { undescribed = state ?? undescribed } else if let state { take(state) }
  }

  private mutating func describe() {
    (isDescribing, nextDescription) = (true, nil)
    effects.append(.describe)
  }

  private mutating func described(_ result: Result<ControlInterface.Description?, StepperClientError>) {
    guard isDescribing, let state = undescribed else { return }
    switch result {
    case .success(let description): meet(description, state)
    case .failure(let error) where error.isAbsence: nextDescription = now.advanced(by: Self.pause)
    case .failure: meet(nil, state)
    }
  }

  /// Takes a snapshot. Without a state, the control does not exist.
  private mutating func meet(_ description: ControlInterface.Description?, _ state: ControlInterface.State?) {
    let isNew = !isDaemonThere
    (isDaemonThere, undescribed, isDescribing, nextDescription) = (true, nil, false, nil)
    guard let description, let state, let terms = description.bridgeTerms else {
      newTurn()
      controlTerms = nil
      feed(.lost(.control))
      let isButton = description != nil && state != nil
      return report(isButton ? .unsuitable("it is a button") : .noControl)
    }
    sequence = state.sequence
    let former = controlTerms
    controlTerms = terms
    if !isNew, let former, terms == former || scale == .same {
      // It is the same control: its current value follows.
      if terms != former { feed(.terms(.control, terms)) }
    } else {
      newTurn()
      feed(.connected(.control, terms))
      connectOutside()
    }
    apply(state)
  }

  private mutating func newTurn() {
    turn += 1
    retry = nil
  }

  /// Takes a state that arrived in order, or as an answer.
  private mutating func take(_ state: ControlInterface.State) {
    guard controlTerms != nil, state.sequence >= sequence else { return }
    sequence = state.sequence
    apply(state)
  }

  private mutating func apply(_ state: ControlInterface.State) {
    feed(.value(.control, state.value))
    feed(.editing(state.editing))
    reportConnected()
  }

  private mutating func answered(
    _ write: ControlWrite, _ result: Result<ControlInterface.State, StepperClientError>
  ) {
    guard isCurrent(write) else { return }
    switch result {
    case .success(let state):
      take(state)
      feed(.written(.control))
    case .failure(let error):
      switch error.code {
      // Another client was first. Its state has arrived or is under way, and there may be nothing left to write.
      case .changed: feed(.overtaken(.control))
      case .disconnected, .cannotConnect, .timedOut, .stopping, .cancelled, .tooManyConnections:
        retry = now.advanced(by: Self.pause)
      default:
        // A refusal is not a state of the bridge: after one, `connected` is not reported again.
        let refusal = BridgeReport.refused(error.message)
        if refusal != lastRefusal { effects.append(.report(refusal)) }
        lastRefusal = refusal
        feed(.refused(.control))
      }
    }
  }

  /// Connects the outside in the control's unit, once both are known.
  private mutating func connectOutside() {
    guard let outsideTerms, let controlTerms else { return }
    conversion = BridgeConversion(scale, from: outsideTerms, to: controlTerms)
    guard let conversion else {
      feed(.lost(.outside))
      return report(.unsuitable("its range needs a minimum and a greater maximum"))
    }
    feed(.connected(.outside, conversion.terms))
    if let outsideValue { feed(.value(.outside, outsideValue.map(conversion.control))) }
  }
}
