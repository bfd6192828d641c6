internal import StepperClient
internal import StepperCore
internal import StepperInterfaces
internal import StepperLinux
internal import StepperMQTT
internal import StepperProgram
internal import Varlink

/// The connections to the daemon: those of every program, one for devices, which is opened for the first one, and one for
/// moments.
final class DaemonChannels {
  private let loop: EventLoop
  private let deliver: (MQTTBridgeInput) -> Void
  /// With nil when it is there.
  private let note: (String?) -> Void
  private var daemon: FollowedDaemon<Call>?
  /// Calls of the bridge, and those for a configuration that was sent.
  private enum Call: Sendable { case command(UInt32), check, health }
  /// Of the remotes.
  private var provider: ProviderConnection?
  private let tell: (ConfigurationTrial.Input) -> Void
  private var moments: DaemonChannel<DaemonFollower<ControlInterface.SubscribeMoments>>?

  /// `match`: shell patterns of the controls that are followed; empty: all.
  init(
    on loop: EventLoop, address: String?, match: [String],
    deliver: @escaping (MQTTBridgeInput) -> Void, note: @escaping (String?) -> Void,
    tell: @escaping (ConfigurationTrial.Input) -> Void
  ) {
    (self.loop, self.deliver, self.note, self.tell) = (loop, deliver, note, tell)
    let addresses = StepperAddress.candidates(explicit: address)
    let match = match.isEmpty ? nil : match
    provider = ProviderConnection(on: loop, to: addresses) { [weak self] event in
      switch event {
      case .answered(let index, let answer): deliver(.provided(index, answer))
      case .late(let error): self?.daemon?.failed(error)
      case .ended: deliver(.devicesLost)
      }
    }
    daemon = FollowedDaemon(
      on: loop, at: addresses, isRestricted: true, match: match, followed: { [weak self] in self?.take($0) },
      answered: { [weak self] in self?.answered($0, $1) })
    moments = DaemonChannel(
      on: loop, to: addresses, following: ControlInterface.SubscribeMoments.self, .init(match: match)
    ) { [deliver] event in
      // Those of the time without a connection are lost.
      if case .reply(let reply) = event { for moment in reply.moments { deliver(.happened(moment)) } }
    }
  }

  var deadline: Instant? {
    [daemon?.deadline, provider?.deadline, moments?.deadline].compactMap(\.self).min()
  }

  /// Does what is due.
  func advance(to now: Instant) {
    daemon?.advance(to: now)
    provider?.advance(to: now)
    moments?.advance(to: now)
  }

  private func take(_ event: Followed<ControlInterface.Subscribe.Reply>) {
    switch event {
    case .reply(let reply):
      note(nil)
      deliver(.replied(reply, realtimeOffset: realtimeOffsetMicroseconds()))
    case .lost(let error):
      deliver(.daemonLost)
      note(error.line)
    case .regained: break
    }
  }

  // MARK: Calls

  /// The answer is delivered with `number`.
  func call(_ number: UInt32, _ call: MQTTBridgeCall) {
    make(.command(number)) { () throws(VarlinkMessageError) in try call.varlink }
  }

  private func make(_ call: Call, _ varlink: () throws(VarlinkMessageError) -> VarlinkCall) {
    do throws(VarlinkMessageError) {
      daemon?.make(try varlink(), call)
    } catch {
      answered(call, .failure(StepperClientError(.invalidParameter, error.reason)))
    }
  }

  private func answered(_ call: Call, _ outcome: Result<VarlinkReply, StepperClientError>) {
    switch call {
    case .command(let number): answered(number, outcome)
    case .check: checked(outcome)
    case .health: tell(.health(health(outcome)))
    }
  }

  /// The answer is delivered with `index`.
  func provide(_ index: Int, _ call: DeviceAttachment.Call) {
    provider?.make(call, for: index)
  }

  /// Has the daemon check a configuration, which its messages call `file`.
  func check(_ text: String, file: String) {
    make(.check) { () throws(VarlinkMessageError) in
      try VarlinkCall(ManagerInterface.Check.self, .init(text: text, file: file))
    }
  }

  /// Asks the daemon how it is.
  func askHealth() {
    make(.health) { () throws(VarlinkMessageError) in
      try VarlinkCall(ManagerInterface.GetStatus.self, NoParameters())
    }
  }

  private func checked(_ outcome: Result<VarlinkReply, StepperClientError>) {
    do throws(StepperClientError) {
      let problems = try outcome.get().results(of: ManagerInterface.Check.self).problems
      // Its line is one of both files.
      tell(.checked(problems.first { $0.severity == .error }.map { "\($0.keyPath): \($0.message)" }))
    } catch {
      daemon?.failed(error)
      tell(error.isAbsence ? .unchecked : .checked("stepperd has not checked it: \(error.line)"))
    }
  }

  private func health(_ outcome: Result<VarlinkReply, StepperClientError>) -> ConfigurationTrial.Health? {
    do throws(StepperClientError) {
      let status = try outcome.get().results(of: ManagerInterface.GetStatus.self)
      return .init(instance: status.instance, devices: status.devices, problems: status.problems)
    } catch {
      daemon?.failed(error)
      return nil
    }
  }

  private func answered(_ number: UInt32, _ outcome: Result<VarlinkReply, StepperClientError>) {
    do throws(StepperClientError) {
      // The replies of all three methods have the state.
      let state = try outcome.get().results(of: ControlInterface.Get.self).state
      deliver(.answered(number, .success(state)))
    } catch {
      deliver(.answered(number, .failure(MQTTCallFailure(error))))
      daemon?.failed(error)
    }
  }
}

extension MQTTCallFailure {
  fileprivate init(_ error: StepperClientError) {
    switch error.code {
    // It was never written.
    case .cannotConnect: self = .daemonAway
    case _ where error.isOfConnection: self = .unknownOutcome
    default:
      self.init(code: error.code.description, message: error.message, isAbsence: error.isAbsence)
    }
  }
}

extension StepperClientError {
  /// Whether the daemon did not answer, or does not answer anybody at present.
  fileprivate var isAbsence: Bool { isOfConnection || code == .stopping || code == .tooManyConnections }
}

extension MQTTBridgeCall {
  fileprivate var varlink: VarlinkCall {
    get throws(VarlinkMessageError) {
      switch self {
      case .set(let control, .number(let value), let sequence):
        try VarlinkCall(
          ControlInterface.Set.self, .init(control: control, value: value, ifSequence: sequence))
      case .set(let control, .text(let text), let sequence):
        try VarlinkCall(
          ControlInterface.Set.self, .init(control: control, text: text, ifSequence: sequence))
      case .step(let control, let steps, let isPage):
        try VarlinkCall(
          ControlInterface.Step.self, .init(control: control, steps: steps, unit: isPage ? .page : nil))
      case .reset(let control): try VarlinkCall(ControlInterface.Reset.self, .init(control: control))
      }
    }
  }
}
