public import StepperWire

/// The blocking form of ``StepperChanges``: the present state of some controls, and then each change.
///
/// ```swift
/// let subscription = try client.subscription(to: ["volume"])
/// while let state = try subscription.next() {
///   print(state.text ?? "unset")
/// }
/// ```
/// It reads on the thread that calls ``next(timeout:)``, so nothing happens between two calls: the daemon keeps
/// the latest state of every control until it is asked for. It is closed by going away.
public final class StepperSubscription {
  /// What is known about the controls; complete with the first state.
  public private(set) var descriptions: [String: ControlInterface.Description] = [:]
  /// Called when the connection is lost, with the reason, and when it is there again, with nil.
  public var connectionChanged: ((StepperClientError?) -> Void)?

  private let shell: SubscriptionShell
  private var pending = PendingStates()
  private var isInterrupted = false

  init(_ shell: SubscriptionShell) { self.shell = shell }

  /// The next state; nil when there was none within `timeout`. Without a timeout it waits for ever.
  ///
  /// Throws what does not pass by waiting: a daemon that is not there at the start, or refuses.
  public func next(timeout: Duration? = nil) throws(StepperClientError) -> ControlInterface.State? {
    let deadline = timeout.map { SuspendingClock.now.advanced(by: $0) }
    while true {
      if let state = pending.take() { return state }
      switch shell.step(until: deadline) {
      case .received(let reply): add(reply)
      case .interrupted(let error): report(error)
      case .nothing: if let deadline, deadline <= .now { return nil }
      case .finished(let error): throw error ?? .cancelled
      }
    }
  }

  private func add(_ reply: ControlInterface.Subscribe.Reply) {
    if let new = reply.descriptions {
      if reply.snapshot { descriptions = [:] }
      for description in new { descriptions[description.control] = description }
    }
    pending.add(reply.states, isSnapshot: reply.snapshot)
    report(nil)
  }

  /// Each loss and each return is told once.
  private func report(_ error: StepperClientError?) {
    guard isInterrupted != (error != nil) else { return }
    isInterrupted = error != nil
    connectionChanged?(error)
  }
}

extension StepperClient {
  /// The blocking form of ``changes(of:minimumInterval:waitsForDaemon:)-([String],_,_)``, with the controls'
  /// descriptions. Nothing is connected before the first `next`.
  public func subscription(
    to names: [String] = [], minimumInterval: Duration? = nil, waitsForDaemon: Bool = false
  ) throws(StepperClientError) -> StepperSubscription {
    let machine = SubscriptionMachine(
      parameters: .init(names: names, minimumInterval: minimumInterval, descriptions: true), timeout: timeout,
      waitsForDaemon: waitsForDaemon)
    return StepperSubscription(
      SubscriptionShell(machine: machine, addresses: addresses, timeout: timeout, wakeup: try Wakeup()))
  }
}
