public import StepperInterfaces
import Varlink

/// A device that this program provides: it is attached to the daemon, reports its events, and receives orders for its
/// outputs.
///
/// ```swift
/// let knob = StepperProvider(
///   .init(
///     identity: .init(provider: "example", name: "Example knob"), relative: [.init(code: "REL_DIAL")],
///     outputs: [.init(name: "ring", kind: .light)]))
/// try knob.report([.init(events: [.init(code: "REL_DIAL", value: 1)])])
/// for order in try knob.orders(timeout: .seconds(1)) ?? [] {
///   if let light = order.light { print(light.output, light.brightness) }
/// }
/// ```
/// The first call attaches the device, and so does the first call after a restart of the daemon. The daemon is then
/// told which keys are down and where the absolute axes are, which presses and moves nothing. The device is unplugged
/// with ``detach()``, when this object is released, and when the program ends. The object belongs to one thread, and
/// each method blocks.
public final class StepperProvider {
  /// The identity, inputs and outputs of the device.
  public let declaration: ProviderInterface.Attach.Parameters
  /// The daemon's description of the attached device; nil: it is not attached, as far as is known here.
  public private(set) var attached: ProviderInterface.Attach.Reply?

  private let client: StepperClient
  private var reader: SubscriptionReader<PendingOrders>?
  private var standing: DeviceStanding

  /// A device for the daemon at `address`; both parameters are those of ``StepperClient/init(address:timeout:)``.
  public init(
    _ declaration: ProviderInterface.Attach.Parameters, address: String? = nil,
    timeout: Duration = .seconds(5)
  ) {
    self.declaration = declaration
    standing = DeviceStanding(declaration)
    client = StepperClient(address: address, timeout: timeout)
  }

  /// Attaches the device unless it is attached, and returns the daemon's answer.
  ///
  /// Throws `invalidDevice` with the reason, `deviceInUse`, `tooManyDevices`, `permissionDenied`, and the errors of
  /// every call.
  @discardableResult
  public func attach() throws(StepperClientError) -> ProviderInterface.Attach.Reply {
    if let attached { return attached }
    let reply = try client.call(ProviderInterface.Attach.self, standing.placing(declaration))
    // The daemon starts with all keys up.
    if !standing.keysDown.isEmpty { try report(to: reply.handle, [], standing.lost) }
    attached = reply
    return reply
  }

  /// Reports the events of the device; an empty report renews the lease. `lost` is the state of the inputs before
  /// `frames`, after events were lost.
  ///
  /// Nothing is done twice. If the answer is lost with the connection, it is unknown whether the report was
  /// performed, and the daemon is told the state of the inputs after the report. Throws `invalidReport` with the
  /// reason, `invalidParameter` for a call that is too long, `disconnected` if the daemon could not be told that
  /// state, and the errors of ``attach()``.
  public func report(
    _ frames: [ProviderInterface.Frame] = [], lost: ProviderInterface.Lost? = nil
  ) throws(StepperClientError) {
    do {
      try tell(frames, lost)
    } catch {
      // The next attachment tells the daemon this state. A report that the daemon refused was not performed.
      if error.isAbsence || Self.isLoss(error) { standing.add(frames, after: lost) }
      guard isSent(error) else { throw error }
      forget()
      do { try attach() } catch _ { throw error }
      return
    }
    standing.add(frames, after: lost)
  }

  private func tell(
    _ frames: [ProviderInterface.Frame], _ lost: ProviderInterface.Lost?
  ) throws(StepperClientError) {
    do {
      try report(to: try attach().handle, frames, lost)
    } catch {
      guard Self.isLoss(error), !isSent(error) else { throw error }
      forget()
      try report(to: try attach().handle, frames, lost)
    }
  }

  /// Whether the daemon may have received the report that ended with this error.
  private func isSent(_ error: StepperClientError) -> Bool {
    attached != nil && error.code == .disconnected
  }

  private func report(
    to handle: String, _ frames: [ProviderInterface.Frame], _ lost: ProviderInterface.Lost?
  ) throws(StepperClientError) {
    _ = try client.call(
      ProviderInterface.Report.self, .init(handle: handle, frames: ShortList(frames), lost: lost))
  }

  /// The orders since the last call, only the latest for each output; nil when there was none within `timeout`.
  /// Without a timeout it waits for ever. The first orders give the present state of the outputs.
  ///
  /// Throws an error that waiting does not cure, and the errors of ``attach()``.
  public func orders(timeout: Duration? = nil) throws(StepperClientError) -> [ProviderInterface.Order]? {
    do {
      return try follow().next(timeout: timeout)
    } catch {
      guard Self.isLoss(error) else { throw error }
      forget()
      return try follow().next(timeout: timeout)
    }
  }

  private func follow() throws(StepperClientError) -> SubscriptionReader<PendingOrders> {
    let handle = try attach().handle
    if let reader { return reader }
    let reader = SubscriptionReader(SubscriptionPlan(client, PendingOrders(handle)), reading: .onDemand)
    self.reader = reader
    return reader
  }

  /// Detaches the device; the next call attaches it again.
  public func detach() {
    forget()
    standing = DeviceStanding(declaration)
    client.close()
  }

  private func forget() { (attached, reader) = (nil, nil) }

  /// Whether the error means that the daemon no longer has the device, as after a restart.
  private static func isLoss(_ error: StepperClientError) -> Bool {
    [.noSuchHandle, .disconnected, .stopping].contains(error.code)
  }
}
