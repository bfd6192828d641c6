public import StepperInterfaces

/// The events that devices report, and their effects, as they happen. Needs administrative permission.
///
/// ```swift
/// let monitor = client.monitor(.init(match: ["knob"]))
/// while let reply = try monitor.next() {
///   for frame in reply.frames { print(frame.device, frame.events) }
/// }
/// ```
/// It reads while a thread waits in ``next(timeout:)``. Between two calls the daemon keeps the newest frames, up to a
/// limit. Frames that happen while the connection is lost are lost too: the first reply of the next connection lists
/// all devices again, and devices that are gone are among the removed ones. The monitor ends when this object is
/// released.
public final class StepperMonitor {
  private let reader: SubscriptionReader<PendingFrames>
  /// The devices that were reported and not removed, at most ``PendingFrames/limit``.
  private var known: Set<String> = []
  /// Whether the next reply is the first one of another connection.
  private var isResuming = false

  /// Called in ``next(timeout:)`` with the reason when the connection is lost, and with nil when it is open again.
  public var connectionChanged: ((StepperClientError?) -> Void)?

  init(_ reader: SubscriptionReader<PendingFrames>) {
    self.reader = reader
    reader.connectionChanged = { [weak self] error in
      if error != nil { self?.isResuming = true }
      self?.connectionChanged?(error)
    }
  }

  /// Everything that was reported since the last call; nil when there was nothing within `timeout`. Without a timeout
  /// it waits for ever. The first reply lists the watched devices.
  ///
  /// Throws an error that waiting does not cure: no daemon runs at the start, or the daemon refuses the call.
  public func next(
    timeout: Duration? = nil
  ) throws(StepperClientError) -> DeviceInterface.Monitor.Reply? {
    guard var reply = try reader.next(timeout: timeout) else { return nil }
    let devices = reply.devices.map(\.device)
    if isResuming { reply.removed += known.subtracting(devices).subtracting(reply.removed).sorted() }
    isResuming = false
    known.subtract(reply.removed)
    for device in devices.prefix(PendingFrames.limit - min(known.count, PendingFrames.limit)) {
      known.insert(device)
    }
    return reply
  }
}

extension StepperClient {
  /// The blocking form of `org.stepperd.device.Monitor`. It connects with the first `next`.
  public func monitor(_ parameters: DeviceInterface.Monitor.Parameters = .init()) -> StepperMonitor {
    StepperMonitor(
      SubscriptionReader(SubscriptionPlan(self, PendingFrames(parameters)), reading: .onDemand))
  }
}
