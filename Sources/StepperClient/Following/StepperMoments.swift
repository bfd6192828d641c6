public import StepperInterfaces

/// The blocking form of ``StepperMomentStream``: the moments of some controls.
///
/// ```swift
/// let moments = try client.momentSubscription(to: ["volume"])
/// while let moment = try moments.next() {
///   print(moment.moment.rawValue, moment.effect)
/// }
/// ```
/// It reads while a thread waits in ``next(timeout:)``. Between two calls the daemon keeps about the newest 256
/// moments. Moments that happen while the connection is lost are lost too. The subscription ends when this object is
/// released.
public final class StepperMoments {
  private let reader: SubscriptionReader<PendingMoments>

  init(_ reader: SubscriptionReader<PendingMoments>) { self.reader = reader }

  /// How many moments were lost so far because ``next(timeout:)`` was called too seldom. Moments that happened
  /// without a connection are not counted.
  public var droppedCount: Int64 { reader.pending.drops.value }

  /// Called in ``next(timeout:)`` with the reason when the connection is lost, and with nil when it is open again.
  public var connectionChanged: ((StepperClientError?) -> Void)? {
    get { reader.connectionChanged }
    set { reader.connectionChanged = newValue }
  }

  /// The next moment; nil when there was none within `timeout`. Without a timeout it waits for ever.
  ///
  /// Throws an error that waiting does not cure: no daemon runs at the start, or the daemon refuses the subscription.
  public func next(timeout: Duration? = nil) throws(StepperClientError) -> ControlInterface.MomentEvent? {
    try reader.next(timeout: timeout)
  }
}

extension StepperClient {
  /// The blocking form of ``moments(of:waitsForDaemon:)-([String],_)``. It connects with the first `next`.
  public func momentSubscription(
    to names: [String] = [], waitsForDaemon: Bool = false
  ) throws(StepperClientError) -> StepperMoments {
    StepperMoments(
      SubscriptionReader(momentPlan(names, waitsForDaemon: waitsForDaemon), reading: .onDemand))
  }
}
