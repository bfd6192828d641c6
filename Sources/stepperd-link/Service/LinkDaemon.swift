internal import StepperBridge
internal import StepperClient
internal import StepperCore
internal import StepperInterfaces
internal import StepperLinux
internal import StepperProgram
internal import SystemPackage
internal import Varlink

/// The daemon for the links: a connection that follows their controls, and one for calls. Both are lost together.
final class LinkDaemon {
  /// What the bridge of a link asked for.
  typealias Call = (link: Int, effect: BridgeMachine.Effect, since: Instant)

  /// How long the daemon may take for an answer.
  private static let timeout = Duration.seconds(5)

  private let loop: EventLoop
  private let addresses: [StepperAddress]
  private let controls: [String]
  /// To a link; nil: to all.
  private let deliver: (Int?, BridgeMachine.Input) -> Void
  private var states: LinkChannel?
  private var calls: LinkChannel?
  private var waiting: [Call] = []
  private var resumption: (instance: String, sequence: Int64)?
  /// When the first reply is late.
  private var firstReply: Instant?
  private var retry = Retry(
    shortestPause: .milliseconds(100), longestPause: .seconds(1), firstAt: .distantPast)

  init(
    on loop: EventLoop, address: String?, controls: [String],
    deliver: @escaping (Int?, BridgeMachine.Input) -> Void
  ) {
    (self.loop, self.deliver) = (loop, deliver)
    addresses = StepperAddress.candidates(explicit: address)
    self.controls = Array(Set(controls)).sorted()
  }

  var deadline: Instant? {
    [retry.at, firstReply, waiting.first.map { $0.since + Self.timeout }].compactMap(\.self).min()
  }

  /// Does what is due.
  func advance(to now: Instant) {
    if retry.isDue(at: now) {
      retry.begin()
      connect(at: now)
    }
    if let due = deadline, due <= now, retry.at == nil { lose("it does not answer") }
  }

  private func connect(at now: Instant) {
    var reasons: [String] = []
    for address in addresses {
      let lost: (String) -> Void = { [weak self] in self?.lose($0) }
      let states = LinkChannel(on: loop, replied: { [weak self] in self?.followed($0) }, lost: lost)
      let calls = LinkChannel(on: loop, replied: { [weak self] in self?.answered($0) }, lost: lost)
      do {
        try states.open(address.path)
        try calls.open(address.path)
        (self.states, self.calls, firstReply) = (states, calls, now + Self.timeout)
        return states.send(
          try VarlinkCall(
            ControlInterface.Subscribe.self,
            .init(
              match: controls, instance: resumption?.instance, sinceSequence: resumption?.sequence,
              descriptions: true)))
      } catch {
        states.close()
        reasons.append("\(address.path): \(error)")
      }
    }
    lose("cannot connect to stepperd: \(reasons.joined(separator: "; "))")
  }

  private func lose(_ reason: String) {
    for channel in [states, calls] { channel?.close() }
    (states, calls, firstReply, waiting) = (nil, nil, nil, [])
    retry.failed(at: loop.now)
    deliver(nil, .daemonLost(reason))
  }

  private func followed(_ reply: VarlinkReply) {
    if let failure = reply.failure {
      resumption = nil
      return lose(StepperClientError(failure).message)
    }
    // Whatever is wrong with it, it is no reply.
    guard reply.continues, let reply = try? reply.parameters.decode(ControlInterface.Subscribe.Reply.self)
    else { return lose("it does not speak the protocol of stepperd") }
    firstReply = nil
    retry.succeed(at: loop.now)
    resumption = (reply.instance, reply.sequence)
    deliver(nil, .replied(reply))
  }

  /// Calls the daemon for the bridge of a link, which is answered unless the daemon is lost.
  func call(_ effect: BridgeMachine.Effect, for link: Int, control: String, at now: Instant) {
    guard let calls else { return }
    do throws(VarlinkMessageError) {
      let call: VarlinkCall
      switch effect {
      case .set(let write):
        call = try VarlinkCall(
          ControlInterface.Set.self,
          .init(control: control, value: write.value, clamp: true, ifSequence: write.sequence))
      case .describe: call = try VarlinkCall(ControlInterface.List.self, .init(match: control))
      case .write, .report: return
      }
      waiting.append((link, effect, now))
      calls.send(call)
    } catch {
      lose(error.reason)
    }
  }

  private func answered(_ reply: VarlinkReply) {
    guard !waiting.isEmpty else { return }
    let (link, effect, _) = waiting.removeFirst()
    switch effect {
    case .set(let write):
      if let failure = reply.failure {
        deliver(link, .answered(write, .failure(StepperClientError(failure))))
        // Whatever is wrong with another reply, it is none.
      } else if let state = try? reply.parameters.decode(ControlInterface.Set.Reply.self).state {
        deliver(link, .answered(write, .success(state)))
      } else {
        lose("it does not speak the protocol of stepperd")
      }
    case .describe:
      // Without one the control is waited for.
      let list = try? reply.parameters.decode(ControlInterface.List.Reply.self)
      deliver(link, .described(list?.controls.first?.description))
    case .write, .report: break
    }
  }
}
