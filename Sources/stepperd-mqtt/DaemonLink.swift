internal import StepperClient
internal import StepperCore
internal import StepperInterfaces
internal import StepperLinux
internal import StepperMQTT
internal import SystemPackage
internal import Varlink

/// The connections to the daemon: one that follows states, one for moments, one for calls. All are lost together.
final class DaemonLink {
  /// How long the daemon may take for an answer.
  private static let patience = Duration.seconds(5)

  private let loop: EventLoop
  private let addresses: [StepperAddress]
  private let match: [String]?
  private let deliver: (MQTTBridgeInput) -> Void
  /// With nil when it is there.
  private let note: (String?) -> Void
  private var states: DaemonChannel?
  private var moments: DaemonChannel?
  private var calls: DaemonChannel?
  /// What the daemon has not answered, the oldest first.
  private var waiting: [(number: UInt32, since: Instant)] = []
  private var resumption: (instance: String, sequence: Int64)?
  /// The first reply is due.
  private var firstReply: Instant?
  private var retry = Retry(
    shortestPause: .milliseconds(100), longestPause: .seconds(2), stableAfter: .seconds(10),
    firstAt: .distantPast)

  /// `match`: shell patterns of the controls that are followed; empty: all.
  init(
    on loop: EventLoop, address: String?, match: [String],
    deliver: @escaping (MQTTBridgeInput) -> Void, note: @escaping (String?) -> Void
  ) {
    self.loop = loop
    addresses = StepperAddress.candidates(explicit: address)
    self.match = match.isEmpty ? nil : match
    (self.deliver, self.note) = (deliver, note)
  }

  var deadline: Instant? {
    [retry.at, firstReply, waiting.first.map { $0.since + Self.patience }].compactMap(\.self).min()
  }

  /// Does what is due.
  func advance(to now: Instant) {
    if retry.isDue(at: now) {
      retry.begin()
      connect(at: now)
    }
    if let due = firstReply, due <= now { lose("it does not answer") }
    if let oldest = waiting.first, oldest.since + Self.patience <= now { lose("it does not answer a call") }
  }

  private func connect(at now: Instant) {
    states = DaemonChannel(
      on: loop, replied: { [weak self] in self?.followed($0) }, lost: { [weak self] in self?.lose($0) })
    moments = DaemonChannel(
      on: loop, replied: { [weak self] in self?.felt($0) }, lost: { [weak self] in self?.lose($0) })
    calls = DaemonChannel(
      on: loop, replied: { [weak self] in self?.answered($0) }, lost: { [weak self] in self?.lose($0) })
    guard let path = reachable() else { return }
    do {
      for channel in [moments, calls] { try channel?.open(path) }
      firstReply = now + Self.patience
      let parameters = ControlInterface.Subscribe.Parameters(
        match: match, instance: resumption?.instance, sinceSequence: resumption?.sequence,
        descriptions: true)
      states?.send(try VarlinkCall(ControlInterface.Subscribe.self, parameters))
      moments?.send(
        try VarlinkCall(ControlInterface.SubscribeMoments.self, .init(match: match)))
    } catch {
      lose("\(error)")
    }
  }

  /// Opens the first channel; the path where that was possible.
  private func reachable() -> String? {
    var reasons: [String] = []
    for address in addresses {
      do throws(Errno) {
        try states?.open(address.path)
        return address.path
      } catch {
        let hint =
          error == .permissionDenied ? "; the user of this program must be in the group of the socket" : ""
        reasons.append("\(address.path): \(error)\(hint)")
      }
    }
    lose(reasons.joined(separator: "; "))
    return nil
  }

  private func lose(_ reason: String) {
    for channel in [states, moments, calls] { channel?.close() }
    (states, moments, calls) = (nil, nil, nil)
    (firstReply, waiting) = (nil, [])
    retry.failed(at: loop.now)
    deliver(.daemonLost)
    note(reason)
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
    note(nil)
    let offset = realtimeOffsetMicroseconds()
    deliver(.replied(reply, realtimeOffset: offset))
  }

  private func felt(_ reply: VarlinkReply) {
    // What is not understood is of a newer daemon, and moments may be lost.
    guard let reply = try? reply.parameters.decode(ControlInterface.SubscribeMoments.Reply.self) else {
      return
    }
    for moment in reply.moments { deliver(.happened(moment)) }
  }

  // MARK: Calls

  /// The answer is delivered with `number`.
  func call(_ number: UInt32, _ call: MQTTBridgeCall, at now: Instant) {
    guard let calls, calls.isOpen else { return deliver(.answered(number, .failure(.daemonAway))) }
    do throws(VarlinkMessageError) {
      let varlink = try call.varlink
      waiting.append((number, now))
      calls.send(varlink)
    } catch {
      let failure = MQTTCallFailure(code: "invalidParameter", message: error.reason)
      deliver(.answered(number, .failure(failure)))
    }
  }

  private func answered(_ reply: VarlinkReply) {
    guard !waiting.isEmpty else { return }
    let number = waiting.removeFirst().number
    if let failure = reply.failure {
      let error = StepperClientError(failure)
      let isAbsence = error.code == .stopping || error.code == .tooManyConnections
      deliver(
        .answered(
          number,
          .failure(
            MQTTCallFailure(code: error.code.description, message: error.message, isAbsence: isAbsence))))
      // The replies of all three methods have the state; whatever is wrong with another, it is none.
    } else if let state = try? reply.parameters.decode(ControlInterface.Get.Reply.self).state {
      deliver(.answered(number, .success(state)))
    } else {
      lose("it does not speak the protocol of stepperd")
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
