internal import StepperClient
internal import StepperCore
internal import StepperInterfaces
internal import StepperLinux
internal import StepperMQTT
internal import StepperProgram
internal import Varlink

/// The connections to the daemon: the two that every program has, one for devices, which is opened for the first device, and one for
/// moments.
final class DaemonChannels {
  private let loop: EventLoop
  private let deliver: (MQTTBridgeInput) -> Void
  /// Called with a problem, or with nil when the daemon is there.
  private let note: (String?) -> Void
  private var daemon: FollowedDaemon<Call>?
  /// Calls by the bridge, and calls for a configuration that was sent.
  private enum Call: Sendable { case command(UInt32), check, health }
  /// The connection for the devices of remotes.
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
    let choice = AddressChoice(explicit: address)
    let match = match.isEmpty ? nil : match
    provider = ProviderConnection(on: loop, to: choice) { [weak self] event in
      switch event {
      case .answered(let index, let answer): deliver(.provided(index, answer))
      case .absent(let error): if error.code == .timedOut { self?.daemon?.failed(error) }
      case .ended: deliver(.devicesLost)
      }
    }
    daemon = FollowedDaemon(
      on: loop, at: choice, isRestricted: true, match: match, followed: { [weak self] in self?.take($0) },
      answered: { [weak self] in self?.answered($0, $1) })
    moments = DaemonChannel(
      on: loop, to: choice, following: ControlInterface.SubscribeMoments.self, .init(match: match)
    ) { [deliver] event in
      // Moments that occur without a connection are lost.
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

  /// Makes a call. The answer is delivered with `number`.
  func call(_ number: UInt32, _ call: MQTTBridgeCall) {
    make(try call.varlink, .command(number))
  }

  private func make(_ varlink: @autoclosure () throws(VarlinkMessageError) -> VarlinkCall, _ call: Call) {
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

  /// Makes a call for a remote. The answer is delivered with `index`.
  func provide(_ index: Int, _ call: DeviceAttachment.Call) {
    provider?.make(call, for: index)
  }

  /// Has the daemon check a configuration, which it calls `file` in its messages.
  func check(_ text: String, file: String) {
    make(try VarlinkCall(ManagerInterface.Check.self, .init(text: text, file: file)), .check)
  }

  /// Asks the daemon for its health.
  func askHealth() {
    make(try VarlinkCall(ManagerInterface.GetStatus.self, NoParameters()), .health)
  }

  private func checked(_ outcome: Result<VarlinkReply, StepperClientError>) {
    do throws(StepperClientError) {
      let problems = try outcome.get().results(of: ManagerInterface.Check.self).problems
      // The line number is omitted: it refers to both files joined.
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
      // The replies of all three methods contain the state.
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
    // The call was never sent.
    case .cannotConnect: self = .daemonAway
    case _ where error.isOfConnection: self = .unknownOutcome
    default:
      self.init(code: error.code.description, message: error.message, isAbsence: error.isAbsence)
    }
  }
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
