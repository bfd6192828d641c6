public import StepperInterfaces
import Varlink

/// A device that this program brings: it is attached to the daemon, reports what it does, and is told what to do.
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
/// The device is attached with the first call, and again with the first one after a restart of the daemon, which is then told
/// which keys are down and where the axes are that have a place. The device is unplugged with ``detach()``, when this goes away,
/// and when the program ends. It belongs to one thread, and each method blocks.
public final class StepperProvider {
  /// What the device is and has.
  public let declaration: ProviderInterface.Attach.Parameters
  /// The device as the daemon has it; nil: it is not attached, as far as is known here.
  public private(set) var attached: ProviderInterface.Attach.Reply?

  private let client: StepperClient
  private var reader: SubscriptionReader<PendingOrders>?
  private var standing: DeviceStanding

  /// A device for the daemon at `address`, as of ``StepperClient/init(address:timeout:)``.
  public init(
    _ declaration: ProviderInterface.Attach.Parameters, address: String? = nil,
    timeout: Duration = .seconds(5)
  ) {
    self.declaration = declaration
    standing = DeviceStanding(declaration)
    client = StepperClient(address: address, timeout: timeout)
  }

  /// Attaches the device, if it is not attached, and returns how the daemon has it.
  ///
  /// Throws `invalidDevice` with the reason, `deviceInUse`, `tooManyDevices`, `permissionDenied`, and what a call throws.
  @discardableResult
  public func attach() throws(StepperClientError) -> ProviderInterface.Attach.Reply {
    if let attached { return attached }
    let reply = try client.call(ProviderInterface.Attach.self, declaration)
    // Its keys are up there.
    if !standing.isUnmoved { try report(to: reply.handle, [], standing.lost) }
    attached = reply
    return reply
  }

  /// Reports what the device did; nothing renews the lease. `lost` is how it stands after something was lost before `frames`.
  ///
  /// Nothing is done twice: of a report whose answer was lost with the connection, which nobody knows to be done, the daemon is
  /// told how the device stands after it. Throws `invalidReport` with the reason, `disconnected` if the daemon could not be told
  /// that, and what ``attach()`` throws.
  public func report(
    _ frames: [ProviderInterface.Frame] = [], lost: ProviderInterface.Lost? = nil
  ) throws(StepperClientError) {
    do {
      try tell(frames, lost)
    } catch {
      // The daemon is told with the next attachment.
      if error.code != .invalidReport { standing.add(frames, after: lost) }
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

  /// Whether the daemon may have been told what ended with this error.
  private func isSent(_ error: StepperClientError) -> Bool {
    attached != nil && error.code == .disconnected
  }

  private func report(
    to handle: String, _ frames: [ProviderInterface.Frame], _ lost: ProviderInterface.Lost?
  ) throws(StepperClientError) {
    _ = try client.call(
      ProviderInterface.Report.self, .init(handle: handle, frames: ShortList(frames), lost: lost))
  }

  /// What the device is to do since the last call, of each output the latest; nil when there was nothing within `timeout`.
  /// Without a timeout it waits for ever. The first orders are how the outputs stand.
  ///
  /// Throws what does not pass by waiting, and what ``attach()`` throws.
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

  /// Whether the daemon does not have the device any more: it was restarted.
  private static func isLoss(_ error: StepperClientError) -> Bool {
    [.noSuchHandle, .disconnected, .stopping].contains(error.code)
  }
}
