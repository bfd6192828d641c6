internal import Glibc
package import Logging
package import StepperClient
package import StepperCore
package import StepperConfiguration
package import StepperInterfaces
package import StepperLinux

/// Something on a program's loop that is, or will be, a device of the daemon.
package protocol BroughtDevice: AnyObject {
  /// The name for people.
  var name: String { get }
  var device: ReplaceableDevice { get set }
  /// Why it is not a device of the daemon, apart from a refusal, for people; nil: there is no such reason.
  var trouble: String? { get }
  /// The daemon has ordered something to be shown or moved.
  func take(_ order: ProviderInterface.Order, at now: Instant)
  /// Does what is due, and returns the call to the daemon that is needed; nil: none.
  func advance(to now: Instant) -> DeviceAttachment.Call?
  /// The latest time at which ``advance(to:)`` has something to do.
  var deadline: Instant? { get }
}

extension BroughtDevice {
  package var isAttached: Bool { device.handle != nil }
}

extension BridgeProgram {
  /// What to do if the daemon refuses a device of the program, for people; empty: the daemon's own message is enough.
  package func remedy(ofRefusal code: String) -> String {
    code == "permissionDenied" ? "; add \"user:\(Self.user)\" to providers in [daemon]" : ""
  }

  /// The name of the user that runs the program.
  private static let user = AccountFile.users.name(of: geteuid())
}

/// A program that brings devices, as a service. It has the devices with the orders for them, and one connection to the daemon for their
/// calls.
package final class DeviceService<Device: BroughtDevice> {
  private struct Place {
    let device: Device
    let orders: OrderChannel
    /// The refusal that was last logged.
    var refusal: DeviceAttachment.Answer?
  }

  private let program: BridgeProgram
  private let service: ServiceLoop
  private let choice: AddressChoice
  private let logger: Logger
  private let statusFile: StatusFile
  private var places: [Place] = []
  private var provider: ProviderConnection?
  private var events: [ProviderConnection.Event] = []
  /// Why the daemon is not there; nil: as far as is known, it is.
  private var absence: String?
  /// Whether the service ends because the configuration has changed.
  private var hasChanged = false

  /// Without `address`, the daemon is found in the same way as by `stepperctl`.
  package init(_ program: BridgeProgram, address: String?, _ logger: Logger, _ notices: ServiceNotices) throws
  {
    (self.program, self.logger) = (program, logger)
    statusFile = StatusFile(program)
    service = try ServiceLoop(notices)
    choice = AddressChoice(explicit: address)
    provider = ProviderConnection(on: service.loop, to: choice) { [weak self] in self?.events.append($0) }
  }

  package var loop: EventLoop { service.loop }
  package var devices: [Device] { places.map(\.device) }

  /// Adds a device, or replaces one for which no calls are made any more.
  package func put(_ device: Device, at place: Int) {
    let orders = OrderChannel(on: loop, to: choice) { [weak device, loop] in
      device?.take($0, at: loop.now)
    }
    places.replaceSubrange(
      place..<min(place + 1, places.endIndex), with: [Place(device: device, orders: orders)])
  }

  /// Runs until a signal arrives; SIGHUP ends it only if the configuration `hasChanged`. Returns whether it has changed. In each wakeup,
  /// `work` does the program's other work and returns its next deadline. `summary` is the status without troubles.
  package func run(
    hasChanged: @escaping () -> Bool, summary: () -> String, metrics: () -> [ManagerInterface.Metric],
    work: (Instant) -> Instant? = { _ in nil }
  ) throws -> Bool {
    try service.run(
      status: status(summary), stop: { [weak self] _ in self?.stop(hasChanged: false) },
      reload: { [weak self] _ in if hasChanged() { self?.stop(hasChanged: true) } }
    ) { [self] now in
      provider?.advance(to: now)
      takeEvents(at: now)
      var next = work(now)
      for index in places.indices { next = .earliest(next, advance(index, to: now)) }
      let status = status(summary)
      service.show(status)
      next = .earliest(next, statusFile.update(status, at: now, metrics))
      return .earliest(next, events.isEmpty ? provider?.deadline : now)
    }
    return self.hasChanged
  }

  private func stop(hasChanged: Bool) {
    self.hasChanged = hasChanged
    service.loop.stop()
  }

  // MARK: Devices

  /// Serves a device, and returns its next deadline.
  private func advance(_ index: Int, to now: Instant) -> Instant? {
    let (device, orders) = (places[index].device, places[index].orders)
    orders.advance(to: now)
    if let call = device.advance(to: now) { provider?.make(call, for: index) }
    // The next report shows whether the daemon still has the device.
    if orders.follow(device.device.handleOfOutputs) { device.device.daemonCame() }
    return .earliest(device.deadline, orders.deadline)
  }

  /// Handles the events here, because no calls may be made while the connection delivers its answers.
  private func takeEvents(at now: Instant) {
    let events = events
    self.events = []
    for event in events {
      switch event {
      case .answered(let index, let answer): answered(index, answer, at: now)
      case .absent(let error): note(absence: error.line)
      case .ended: for device in devices { device.device.connectionEnded(at: now) }
      }
    }
  }

  /// Logs each reason once.
  private func note(absence: String?) {
    guard absence != self.absence else { return }
    self.absence = absence
    guard let absence else { return logger.info("stepperd is there") }
    logger.warning("stepperd is not there, trying again: \(absence)")
  }

  private func answered(_ index: Int, _ answer: DeviceAttachment.Answer, at now: Instant) {
    if answer != .absent { note(absence: nil) }
    let device = places[index].device
    device.device.answered(answer, at: now)
    let refusal = device.device.attachment?.refusal
    // Each reason is logged once, as long as it stays the same.
    if refusal != places[index].refusal, let text = refusalText(of: device) { logger.warning("\(text)") }
    places[index].refusal = refusal
  }

  // MARK: What people see

  /// Why the daemon refuses the device, and what to do; nil: it has not refused the device.
  private func refusalText(of device: Device) -> String? {
    guard case .refused(let code, let message)? = device.device.attachment?.refusal else { return nil }
    return "\(device.name): stepperd refuses it: \(message)\(program.remedy(ofRefusal: code))"
  }

  private func status(_ summary: () -> String) -> String {
    let away = absence.map { ["stepperd is not there: \($0)"] } ?? []
    let troubles = devices.compactMap { refusalText(of: $0) ?? $0.trouble }
    return ([summary()] + away + troubles).joined(separator: "; ")
  }
}
