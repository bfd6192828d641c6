public import StepperInterfaces

/// The blocking form of ``StepperMomentStream``: the moments of some controls.
///
/// ```swift
/// let moments = try client.momentSubscription(to: ["volume"])
/// while let moment = try moments.next() {
///   print(moment.moment.rawValue, moment.effect)
/// }
/// ```
/// It reads while a thread waits in ``next(timeout:)``. Between two calls the daemon keeps the newest 256 moments or so.
/// What happens while the connection is lost is lost too. The subscription ends when this goes away.
public final class StepperMoments {
  private let reader: SubscriptionReader<PendingMoments>

  init(_ reader: SubscriptionReader<PendingMoments>) { self.reader = reader }

  /// How many moments were lost so far because ``next(timeout:)`` was called too seldom. Those of the time without a connection
  /// are not among them.
  public var droppedCount: Int64 { reader.pending.drops.value }

  /// Called in ``next(timeout:)`` when the connection is lost, with the reason, and when it is there again, with nil.
  public var connectionChanged: ((StepperClientError?) -> Void)? {
    get { reader.connectionChanged }
    set { reader.connectionChanged = newValue }
  }

  /// The next moment; nil when there was none within `timeout`. Without a timeout it waits for ever.
  ///
  /// Throws what does not pass by waiting: a daemon that is not there at the start, or refuses.
  public func next(timeout: Duration? = nil) throws(StepperClientError) -> ControlInterface.MomentEvent? {
    try reader.next(timeout: timeout)
  }
}

extension StepperClient {
  /// The blocking form of ``moments(of:waitsForDaemon:)-([String],_)``. Nothing is connected before the first
  /// `next`.
  public func momentSubscription(
    to names: [String] = [], waitsForDaemon: Bool = false
  ) throws(StepperClientError) -> StepperMoments {
    StepperMoments(
      SubscriptionReader(momentPlan(names, waitsForDaemon: waitsForDaemon), reading: .onDemand))
  }
}
