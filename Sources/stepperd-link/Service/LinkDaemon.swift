internal import StepperBridge
internal import StepperClient
internal import StepperCore
internal import StepperInterfaces
internal import StepperLinux
internal import StepperProgram
internal import Varlink

/// The connection to the daemon for the bridges of all links.
final class LinkDaemon {
  /// A request by the bridge of a link.
  private struct Call: Sendable {
    let link: Int
    let effect: BridgeMachine.Effect
  }

  /// Delivers an input to a link; nil: to all links.
  private let deliver: (Int?, BridgeMachine.Input) -> Void
  private var daemon: FollowedDaemon<Call>?

  init(
    on loop: EventLoop, address: String?, controls: [String],
    deliver: @escaping (Int?, BridgeMachine.Input) -> Void
  ) {
    self.deliver = deliver
    daemon = FollowedDaemon(
      on: loop, at: AddressChoice(explicit: address), match: Array(Set(controls)).sorted(),
      followed: { event in
        switch event {
        case .reply(let reply): deliver(nil, .replied(reply))
        case .lost(let error): deliver(nil, .daemonLost(error.line))
        case .regained: break
        }
      }, answered: { [weak self] in self?.answered($0, $1) })
  }

  var deadline: Instant? { daemon?.deadline }

  /// Does what is due.
  func advance(to now: Instant) { daemon?.advance(to: now) }

  /// Calls the daemon for the bridge of a link. The call is answered unless the daemon is lost.
  func call(_ effect: BridgeMachine.Effect, for link: Int, control: String) {
    do throws(VarlinkMessageError) {
      guard let call = try effect.call(for: control) else { return }
      daemon?.make(call, Call(link: link, effect: effect))
    } catch {
      answered(
        Call(link: link, effect: effect), .failure(StepperClientError(.invalidParameter, error.reason)))
    }
  }

  private func answered(_ call: Call, _ outcome: Result<VarlinkReply, StepperClientError>) {
    do throws(StepperClientError) {
      let reply = try outcome.get()
      switch call.effect {
      case .set(let write):
        let state = try reply.results(of: ControlInterface.Set.self).state
        deliver(call.link, .answered(write, .success(state)))
      case .describe:
        let controls = try reply.results(of: ControlInterface.List.self).controls
        deliver(call.link, .described(.success(controls.first?.description)))
      case .write, .report: break
      }
    } catch {
      switch call.effect {
      case .set(let write): deliver(call.link, .answered(write, .failure(error)))
      case .describe: deliver(call.link, .described(.failure(error)))
      case .write, .report: break
      }
      daemon?.failed(error)
    }
  }
}

extension BridgeMachine.Effect {
  /// nil: the effect is not a call for the daemon.
  fileprivate func call(for control: String) throws(VarlinkMessageError) -> VarlinkCall? {
    switch self {
    case .set(let write):
      try VarlinkCall(
        ControlInterface.Set.self,
        .init(control: control, value: write.value, clamp: true, ifSequence: write.sequence))
    case .describe: try VarlinkCall(ControlInterface.List.self, .init(match: control))
    case .write, .report: nil
    }
  }
}
