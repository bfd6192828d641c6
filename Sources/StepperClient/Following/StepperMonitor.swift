public import StepperInterfaces

/// What devices report, and its effects, as it happens. Needs administrative permission.
///
/// ```swift
/// let monitor = client.monitor(.init(match: ["knob"]))
/// while let reply = try monitor.next() {
///   for frame in reply.frames { print(frame.device, frame.events) }
/// }
/// ```
/// It reads while a thread waits in ``next(timeout:)``. Between two calls the daemon keeps the newest frames, up to a
/// limit. What happens while the connection is lost is lost too. The monitor ends when this goes away.
public final class StepperMonitor {
  private let reader: SubscriptionReader<PendingFrames>

  init(_ reader: SubscriptionReader<PendingFrames>) { self.reader = reader }

  /// Called in ``next(timeout:)`` when the connection is lost, with the reason, and when it is there again, with nil.
  public var connectionChanged: ((StepperClientError?) -> Void)? {
    get { reader.connectionChanged }
    set { reader.connectionChanged = newValue }
  }

  /// All that was reported since the last call; nil when there was nothing within `timeout`. Without a timeout it
  /// waits for ever. The first one has the devices that are watched.
  ///
  /// Throws what does not pass by waiting: a daemon that is not there at the start, or refuses.
  public func next(
    timeout: Duration? = nil
  ) throws(StepperClientError) -> DeviceInterface.Monitor.Reply? {
    try reader.next(timeout: timeout)
  }
}

extension StepperClient {
  /// The blocking form of `org.stepperd.device.Monitor`. Nothing is connected before the first `next`.
  public func monitor(_ parameters: DeviceInterface.Monitor.Parameters = .init()) -> StepperMonitor {
    StepperMonitor(
      SubscriptionReader(SubscriptionPlan(self, PendingFrames(parameters)), reading: .onDemand))
  }
}
