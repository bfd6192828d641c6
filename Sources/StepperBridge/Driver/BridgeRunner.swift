internal import StepperClient
internal import StepperInterfaces

/// A bridge in real time: passes what happens to the pure ``Bridge``, and does what it asks for.
actor BridgeRunner {
  private let client: StepperClient
  nonisolated let control: String
  private let scale: BridgeScale
  private let report: @Sendable (BridgeReport) -> Void
  private var bridge: Bridge
  private var timer: Task<Void, Never>?

  // The control.
  private var controlTerms: BridgeTerms?
  private var sequence: Int64 = 0
  private var isDaemonThere = false
  /// Tells an answer to a write from one of another time.
  private var controlTurn = 0
  // The outside.
  private var outsideTerms: BridgeTerms?
  private var outsideValue: Double??
  private var conversion: BridgeConversion?
  private var lastReport: BridgeReport?
  private var lastRefusal: BridgeReport?

  /// The writes to the outside, one at a time.
  private var outsideWrites: AsyncStream<Double>.Continuation?
  private let controlWrites = AsyncStream.makeStream(
    of: ControlWrite.self, bufferingPolicy: .bufferingNewest(1))

  private struct ControlWrite: Sendable {
    let value: Double
    let turn: Int
  }

  init(
    _ client: StepperClient, _ control: String, _ scale: BridgeScale, _ rules: BridgeRules,
    report: @escaping @Sendable (BridgeReport) -> Void
  ) {
    (self.client, self.control, self.scale, self.report) = (client, control, scale, report)
    bridge = Bridge(rules)
  }

  // MARK: The control

  func daemonLost(_ error: StepperClientError) {
    controlTurn += 1
    isDaemonThere = false
    tell(.daemonLost(error.message.split(separator: "\n").joined(separator: " ")))
    feed(.lost(.control))
  }

  /// The daemon is there, and was the same all the time.
  func daemonResumed() {
    guard !isDaemonThere else { return }
    isDaemonThere = true
    tell(.daemonRegained)
    if controlTerms != nil { feed(.resumed(.control)) }
  }

  /// Everything about the control; nil: there is no such control.
  func snapshot(_ description: ControlInterface.Description?, _ state: ControlInterface.State?) {
    let isNew = !isDaemonThere
    isDaemonThere = true
    guard let description, let state else { return noControl(.noControl) }
    guard let terms = description.terms else { return noControl(.unsuitable("it is a button")) }
    sequence = state.sequence
    if isNew || terms != controlTerms {
      controlTurn += 1
      controlTerms = terms
      feed(.connected(.control, terms))
      connectOutside()
    }
    apply(state)
  }

  private func noControl(_ reason: BridgeReport) {
    controlTurn += 1
    controlTerms = nil
    feed(.lost(.control))
    tell(reason)
  }

  /// A state that came in its order, or as an answer.
  func take(_ state: ControlInterface.State) {
    guard controlTerms != nil, state.sequence >= sequence else { return }
    sequence = state.sequence
    apply(state)
  }

  private func apply(_ state: ControlInterface.State) {
    feed(.value(.control, state.value))
    feed(.editing(state.editing))
    tellConnected()
  }

  /// Writes to the control until the task is cancelled.
  func writeControl() async {
    for await write in controlWrites.stream where write.turn == controlTurn { await set(write) }
  }

  private func set(_ write: ControlWrite) async {
    do throws(StepperClientError) {
      let state = try await client.set(control, to: write.value, clamp: true, ifSequence: sequence)
      guard write.turn == controlTurn else { return }
      take(state)
      feed(.written(.control))
    } catch {
      await failed(write, error)
    }
  }

  private func failed(_ write: ControlWrite, _ error: StepperClientError) async {
    switch error.code {
    case .changed:
      // Somebody was first; the state of that has come or is on its way, and there may be nothing left to write.
      guard write.turn == controlTurn else { return }
      feed(.overtaken(.control))
    case .disconnected, .cannotConnect, .timedOut, .stopping, .cancelled, .tooManyConnections:
      // The follower hears of a daemon that is gone.
      try? await Task.sleep(for: .milliseconds(250))  // Cancelled, nothing is written any more.
      guard write.turn == controlTurn else { return }
      feed(.overtaken(.control))
    default:
      guard write.turn == controlTurn else { return }
      tellRefusal(.refused(error.message))
      feed(.refused(.control))
    }
  }

  // MARK: The outside

  func outsideBegan(_ writes: AsyncStream<Double>.Continuation) { outsideWrites = writes }

  func take(_ change: OutsideChange) {
    switch change {
    case .terms(let terms):
      (outsideTerms, outsideValue) = (terms, nil)
      connectOutside()
    case .value(let value):
      guard outsideTerms != nil else { return }
      outsideValue = .some(value)
      guard let conversion else { return }
      feed(.value(.outside, value.map(conversion.control)))
      tellConnected()
    case .away(let reason): outsideLost(reason)
    }
  }

  func outsideWritten() { feed(.written(.outside)) }

  func outsideLost(_ reason: String) {
    (outsideTerms, outsideValue, conversion) = (nil, nil, nil)
    feed(.lost(.outside))
    tell(.outsideLost(reason))
  }

  /// The outside in the unit of the control, when both are known.
  private func connectOutside() {
    guard let outsideTerms, let controlTerms else { return }
    conversion = BridgeConversion(scale, from: outsideTerms, to: controlTerms)
    guard let conversion else {
      feed(.lost(.outside))
      return tell(
        .unsuitable("its range has an open end, or no extent, so that nothing can be spread over it"))
    }
    feed(.connected(.outside, conversion.terms))
    if let outsideValue { feed(.value(.outside, outsideValue.map(conversion.control))) }
  }

  // MARK: The bridge

  func end() {
    timer?.cancel()
    controlWrites.continuation.finish()
  }

  private func feed(_ input: BridgeInput?) {
    for effect in bridge.advance(to: .now, applying: input) { perform(effect) }
    timer?.cancel()
    timer = bridge.deadline.map { deadline in
      Task { [weak self] in
        // Cancelled, there is another deadline.
        guard (try? await Task.sleep(until: deadline, clock: .suspending)) != nil else { return }
        await self?.feed(nil)
      }
    }
  }

  private func perform(_ effect: BridgeEffect) {
    switch effect {
    case .write(.control, let value): controlWrites.continuation.yield(.init(value: value, turn: controlTurn))
    case .write(.outside, let value):
      if let conversion { outsideWrites?.yield(conversion.outside(value)) }
    case .clamped(let side, let value, let end): report(.clamped(side, value, to: end))
    }
  }

  private func tellConnected() {
    guard isDaemonThere, controlTerms != nil, conversion != nil, outsideValue != nil else { return }
    tell(.connected)
  }

  /// The same is not said again and again.
  private func tell(_ report: BridgeReport) {
    guard report != lastReport else { return }
    (lastReport, lastRefusal) = (report, nil)
    self.report(report)
  }

  /// A refusal changes nothing of how the bridge is, so that it is not said after each one that it is connected.
  private func tellRefusal(_ refusal: BridgeReport) {
    guard refusal != lastRefusal else { return }
    lastRefusal = refusal
    report(refusal)
  }
}
