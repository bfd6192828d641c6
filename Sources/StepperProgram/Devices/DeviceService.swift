package import Logging
package import StepperClient
package import StepperCore
package import StepperConfiguration
package import StepperInterfaces
package import StepperLinux

/// Something on a program's loop that is a device of the daemon, or will be one.
package protocol BroughtDevice: AnyObject {
  /// As people call it.
  var name: String { get }
  var device: ReplaceableDevice { get set }
  /// What keeps it from being a device of the daemon but a refusal, for people; nil: nothing.
  var trouble: String? { get }
  /// The daemon wants something shown or moved.
  func take(_ order: ProviderInterface.Order, at now: Instant)
  /// Does what is due, and returns what the daemon is to be called for.
  func advance(to now: Instant) -> DeviceAttachment.Call?
  /// When ``advance(to:)`` has something to do at the latest.
  var deadline: Instant? { get }
}

extension BroughtDevice {
  package var isAttached: Bool { device.handle != nil }
}

extension BridgeProgram {
  /// What to do when the daemon does not take a device of the program, for people; empty: what the daemon says of it suffices.
  package func remedy(ofRefusal code: String) -> String {
    code == "permissionDenied" ? "; add \"user:\(rawValue)\" to providers in [daemon]" : ""
  }
}

/// A program that brings devices, as a service: the devices with the orders for them, and one connection to the daemon for
/// their calls.
package final class DeviceService<Device: BroughtDevice, Figures: BridgeFigures> {
  /// How it ended.
  package enum End { case stopped, changed }

  private struct Place {
    let device: Device
    let orders: OrderChannel
    /// The refusal that was logged last.
    var refusal: DeviceAttachment.Answer?
  }

  private let program: BridgeProgram
  private let service: ServiceLoop
  private let addresses: [StepperAddress]
  private let logger: Logger
  private let statusFile: StatusFile<Figures>
  private var places: [Place] = []
  private var provider: ProviderConnection?
  private var events: [ProviderConnection.Event] = []
  private var isDaemonAway = false
  private var end = End.stopped

  /// Without `address` the daemon is found as by `stepperctl`.
  package init(_ program: BridgeProgram, address: String?, _ logger: Logger, _ notices: ServiceNotices) throws
  {
    (self.program, self.logger) = (program, logger)
    statusFile = StatusFile(program)
    service = try ServiceLoop(notices)
    addresses = StepperAddress.candidates(explicit: address)
    provider = ProviderConnection(on: service.loop, to: addresses) { [weak self] in self?.events.append($0) }
  }

  package var loop: EventLoop { service.loop }
  package var devices: [Device] { places.map(\.device) }

  /// Adds a device, or puts it in the place of one for which nothing is called any more.
  package func put(_ device: Device, at place: Int) {
    let orders = OrderChannel(on: loop, to: addresses) { [weak device, loop] in
      device?.take($0, at: loop.now)
    }
    places.replaceSubrange(
      place..<min(place + 1, places.endIndex), with: [Place(device: device, orders: orders)])
  }

  /// Runs until a signal comes; SIGHUP ends it if the configuration `hasChanged`. `work` is what the program does in each wakeup
  /// besides; it returns when it has something to do at the latest. `summary` is the status without troubles.
  package func run(
    hasChanged: @escaping () -> Bool, summary: () -> String, figures: () -> Figures,
    work: (Instant) -> Instant? = { _ in nil }
  ) throws -> End {
    try service.run(
      status: status(summary), stop: { [weak self] _ in self?.stop(.stopped) },
      reload: { [weak self] _ in if hasChanged() { self?.stop(.changed) } }
    ) { [self] now in
      provider?.advance(to: now)
      takeEvents(at: now)
      var next = work(now)
      for index in places.indices { next = .earliest(next, advance(index, to: now)) }
      let status = status(summary)
      _ = service.show(status)
      next = .earliest(next, statusFile.update(status, at: now, figures))
      return .earliest(next, events.isEmpty ? provider?.deadline : now)
    }
    return end
  }

  private func stop(_ end: End) {
    self.end = end
    service.loop.stop()
  }

  // MARK: Devices

  /// Returns when there is something to do at the latest.
  private func advance(_ index: Int, to now: Instant) -> Instant? {
    let (device, orders) = (places[index].device, places[index].orders)
    orders.advance(to: now)
    if let call = device.advance(to: now) { provider?.make(call, for: index) }
    // The next report shows whether the daemon still has it.
    if orders.follow(device.device.handleOfOutputs) { device.device.daemonCame() }
    return .earliest(device.deadline, orders.deadline)
  }

  /// The next calls are not made while the connection hands over its answers.
  private func takeEvents(at now: Instant) {
    let events = events
    self.events = []
    for event in events {
      switch event {
      case .answered(let index, let answer): answered(index, answer, at: now)
      case .late: break
      case .ended: for device in devices { device.device.connectionEnded(at: now) }
      }
    }
  }

  private func answered(_ index: Int, _ answer: DeviceAttachment.Answer, at now: Instant) {
    if answer == .absent, !isDaemonAway { logger.warning("stepperd is not there, trying again") }
    if answer != .absent, isDaemonAway { logger.info("stepperd is there") }
    isDaemonAway = answer == .absent
    let device = places[index].device
    device.device.answered(answer, at: now)
    let refusal = device.device.attachment?.refusal
    // Each reason once, as long as it is the same.
    if refusal != places[index].refusal, let text = refusalText(of: device) { logger.warning("\(text)") }
    places[index].refusal = refusal
  }

  // MARK: What people see

  /// Why the daemon does not take the device, and what to do; nil: it has not refused it.
  private func refusalText(of device: Device) -> String? {
    guard case .refused(let code, let message)? = device.device.attachment?.refusal else { return nil }
    return "\(device.name): stepperd does not take it: \(message)\(program.remedy(ofRefusal: code))"
  }

  private func status(_ summary: () -> String) -> String {
    let away = isDaemonAway ? ["stepperd is not there"] : []
    let troubles = devices.compactMap { refusalText(of: $0) ?? $0.trouble }
    return ([summary()] + away + troubles).joined(separator: "; ")
  }
}
