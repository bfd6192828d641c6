public import StepperInterfaces

/// The blocking form of ``StepperChanges``: the present state of some controls, and then each change.
///
/// ```swift
/// let subscription = try client.subscription(to: ["volume"])
/// while let state = try subscription.next() {
///   print(state.text ?? "unset")
/// }
/// ```
/// It reads while a thread waits in ``next(timeout:)``. Between two calls the daemon keeps the latest state of each
/// control. The subscription ends when this object is released.
public final class StepperSubscription {
  private let reader: SubscriptionReader<PendingStates>

  init(_ reader: SubscriptionReader<PendingStates>) { self.reader = reader }

  /// The descriptions of the controls; complete with the first state.
  public var descriptions: [String: ControlInterface.Description] { reader.pending.descriptions }

  /// Called in ``next(timeout:)`` with the reason when the connection is lost, and with nil when it is open again.
  public var connectionChanged: ((StepperClientError?) -> Void)? {
    get { reader.connectionChanged }
    set { reader.connectionChanged = newValue }
  }

  /// The next state; nil when there was none within `timeout`. Without a timeout it waits for ever.
  ///
  /// Throws an error that waiting does not cure: no daemon runs at the start, or the daemon refuses the subscription.
  public func next(timeout: Duration? = nil) throws(StepperClientError) -> ControlInterface.State? {
    try reader.next(timeout: timeout)
  }
}

extension StepperClient {
  /// The blocking form of ``changes(of:minimumInterval:waitsForDaemon:)-([String],_,_)``, with the controls'
  /// descriptions. It connects with the first `next`.
  public func subscription(
    to names: [String] = [], minimumInterval: Duration? = nil, waitsForDaemon: Bool = false
  ) throws(StepperClientError) -> StepperSubscription {
    let pending = PendingStates(
      .init(names: names, minimumInterval: minimumInterval, descriptions: true))
    let plan = SubscriptionPlan(self, pending, waitsForDaemon: waitsForDaemon)
    return StepperSubscription(SubscriptionReader(plan, reading: .onDemand))
  }
}
