package import Logging
package import StepperClient
package import StepperCore
package import StepperConfiguration
internal import StepperInterfaces
package import StepperLinux
internal import Varlink

/// Something on a program's loop that is a device of the daemon, or will be one.
package protocol BroughtDevice: AnyObject {
  /// What keeps it from being a device of the daemon, for people; nil: nothing.
  var trouble: String? { get }
  /// Does what is due, and returns what the daemon is to be called for.
  func advance(to now: Instant) -> DeviceAttachment.Call?
  /// What came of the call.
  func answered(_ answer: DeviceAttachment.Answer, at now: Instant)
  /// The connection that has attached it has ended.
  func connectionEnded(at now: Instant)
  /// When ``advance(to:)`` has something to do at the latest.
  var deadline: Instant? { get }
}

extension DeviceAttachment {
  /// Why the daemon does not take the device, and what to do, for people; nil: it has not refused it. `program` is the user that
  /// brings it.
  package func refusalText(of program: BridgeProgram) -> String? {
    guard case .refused(let code, let message)? = refusal else { return nil }
    return "stepperd does not take it: \(message)\(program.remedy(ofRefusal: code))"
  }
}

extension BridgeProgram {
  /// What to do when the daemon does not take a device of the program, for people; empty: what the daemon says of it suffices.
  package func remedy(ofRefusal code: String) -> String {
    code == "permissionDenied" ? "; add \"user:\(rawValue)\" to providers in [daemon]" : ""
  }
}

/// Logs that the daemon does not take a device: each reason once, as long as it is the same.
package struct AttachmentLog {
  private var last: DeviceAttachment.Answer?

  package init() {}

  /// The daemon has answered. `name` is what people call the device.
  package mutating func note(
    _ device: DeviceAttachment?, of program: BridgeProgram, named name: String, _ logger: Logger
  ) {
    let refusal = device?.refusal
    if refusal != last, let text = device?.refusalText(of: program) { logger.warning("\(name): \(text)") }
    last = refusal
  }
}

/// A program that brings devices, as a service: the devices, and one connection to the daemon for their calls.
package final class DeviceService<Device: BroughtDevice, Figures: BridgeFigures> {
  /// How it ended.
  package enum End { case stopped, changed }

  private let service: ServiceLoop
  package let addresses: [StepperAddress]
  private let logger: Logger
  private let statusFile: StatusFile<Figures>
  /// A device stays at its place.
  package var devices: [Device] = []
  private var daemon: DaemonChannel<CallMachine<Wait>>?
  private var ended: [Ended] = []
  /// Whether the end of the connection is waited for.
  private var isStaying = false
  private var isDaemonAway = false
  private var end = End.stopped

  private enum Wait: Sendable {
    case call(device: Int, DeviceAttachment.Call.Kind)
    /// For the end of the connection.
    case stay
  }

  private enum Ended {
    case call(device: Int, DeviceAttachment.Answer)
    case connection
  }

  private static var callTimeout: Duration { .seconds(5) }

  /// Without `address` the daemon is found as by `stepperctl`.
  package init(_ program: BridgeProgram, address: String?, _ logger: Logger, _ notices: ServiceNotices) throws
  {
    self.logger = logger
    statusFile = StatusFile(program)
    service = try ServiceLoop(notices)
    addresses = StepperAddress.candidates(explicit: address)
    daemon = DaemonChannel(on: service.loop, to: addresses, CallMachine<Wait>(timeout: Self.callTimeout)) {
      [weak self] _, wait, outcome in
      switch (wait, outcome) {
      case (.call(let device, let kind), .success(let reply?)): self?.note(device, kind, .success(reply))
      case (.call(let device, let kind), .failure(let error)): self?.note(device, kind, .failure(error))
      // A call has an answer, and the connection is waited for without a deadline.
      case (_, .success): break
      case (.stay, .failure): self?.ended.append(.connection)
      }
    }
  }

  package var loop: EventLoop { service.loop }

  /// Runs until a signal comes; SIGHUP is for another configuration. `work` is what the program does in each wakeup besides; it
  /// returns when it has something to do at the latest. `summary` is the status without troubles.
  package func run(
    summary: () -> String, figures: () -> Figures, work: (Instant) -> Instant? = { _ in nil }
  ) throws -> End {
    try service.run(
      status: status(summary), stop: { [weak self] _ in self?.stop(.stopped) },
      reload: { [weak self] _ in self?.stop(.changed) }
    ) { [self] now in
      daemon?.advance(to: now)
      takeEnded(at: now)
      var next = work(now)
      for index in devices.indices {
        if let call = devices[index].advance(to: now) { make(call, of: index) }
        next = .earliest(next, devices[index].deadline)
      }
      let status = status(summary)
      _ = service.show(status)
      next = .earliest(next, statusFile.update(status, at: now, figures))
      return .earliest(next, ended.isEmpty ? daemon?.deadline : now)
    }
    return end
  }

  private func stop(_ end: End) {
    self.end = end
    service.loop.stop()
  }

  // MARK: Calls

  private func make(_ call: DeviceAttachment.Call, of device: Int) {
    let kind = call.kind
    do throws(VarlinkMessageError) {
      let varlink = try call.varlink
      daemon?.perform(at: service.loop.now) { [service] in
        $0.make(varlink, .call(device: device, kind), at: service.loop.now)
      }
    } catch {
      ended.append(
        .call(device: device, .refused(code: "invalidParameter", message: error.reason)))
    }
  }

  private func note(
    _ device: Int, _ kind: DeviceAttachment.Call.Kind, _ outcome: Result<VarlinkReply, StepperClientError>
  ) {
    let answer = DeviceAttachment.Answer(of: kind, outcome)
    if answer == .absent, !isDaemonAway { logger.warning("stepperd is not there, trying again") }
    if answer != .absent, isDaemonAway { logger.info("stepperd is there") }
    isDaemonAway = answer == .absent
    ended.append(.call(device: device, answer))
  }

  /// The next calls are not made while the connection hands over its answers.
  private func takeEnded(at now: Instant) {
    let ended = ended
    self.ended = []
    for end in ended {
      switch end {
      case .call(let device, let answer):
        devices[device].answered(answer, at: now)
        if case .attached = answer { stay(at: now) }
      case .connection:
        isStaying = false
        for device in devices { device.connectionEnded(at: now) }
      }
    }
  }

  /// A connection that has attached devices is waited for: they end with it, also those for which nothing is called then.
  private func stay(at now: Instant) {
    guard !isStaying else { return }
    isStaying = true
    daemon?.perform(at: now) { $0.stay(.stay, until: nil) }
  }

  private func status(_ summary: () -> String) -> String {
    let away = isDaemonAway ? ["stepperd is not there"] : []
    return ([summary()] + away + devices.compactMap(\.trouble)).joined(separator: "; ")
  }
}
