internal import StepperClient
internal import StepperCore
internal import StepperInterfaces
internal import StepperLinux
internal import StepperMQTT
internal import Varlink

/// The connections to the daemon: one that follows states, one for moments, one for calls.
final class DaemonChannels {
  private typealias Follower<Method: FollowedMethod> = SubscriptionStream<WholeReplies<Method>, Waiter>
  private typealias Calls = CallMachine<UInt32>

  /// The one reader of a follower.
  private struct Waiter: Sendable {}

  private let loop: EventLoop
  private let deliver: (MQTTBridgeInput) -> Void
  /// With nil when it is there.
  private let note: (String?) -> Void
  private var states: DaemonChannel<Follower<ControlInterface.Subscribe>>?
  private var moments: DaemonChannel<Follower<ControlInterface.SubscribeMoments>>?
  private var calls: DaemonChannel<Calls>?

  /// How it is followed: for as long as it takes. What comes and goes is not tried more and more often.
  private static let policy = SubscriptionPolicy(
    .always,
    retry: Retry(
      shortestPause: .milliseconds(100), longestPause: .seconds(2), stableAfter: .seconds(10)))

  /// `match`: shell patterns of the controls that are followed; empty: all.
  init(
    on loop: EventLoop, address: String?, match: [String],
    deliver: @escaping (MQTTBridgeInput) -> Void, note: @escaping (String?) -> Void
  ) {
    (self.loop, self.deliver, self.note) = (loop, deliver, note)
    let addresses = StepperAddress.candidates(explicit: address)
    let match = match.isEmpty ? nil : match
    states = channel(
      ControlInterface.Subscribe.self, .init(match: match, descriptions: true), to: addresses
    ) { [weak self] in self?.take($0) }
    moments = channel(ControlInterface.SubscribeMoments.self, .init(match: match), to: addresses) {
      [deliver] step in
      // Those of the time without a connection are lost.
      if case .element(let reply) = step { for moment in reply.moments { deliver(.happened(moment)) } }
    }
    calls = DaemonChannel(on: loop, to: addresses, Calls(timeout: Self.policy.timeout)) {
      [weak self] _, number, outcome in self?.answered(number, outcome)
    }
  }

  /// A channel that follows `method`, and always waits for the next step.
  private func channel<Method: FollowedMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters, to addresses: [StepperAddress],
    _ take: @escaping (SubscriptionStep<Method.Reply>) -> Void
  ) -> DaemonChannel<Follower<Method>> {
    var follower = Follower(WholeReplies(method, parameters), reading: .onDemand, Self.policy)
    follower.wait(Waiter(), until: nil, at: loop.now)
    return DaemonChannel(on: loop, to: addresses, follower) { [loop] channel, waiter, step in
      take(step)
      channel.perform(at: loop.now) { $0.wait(waiter, until: nil, at: loop.now) }
    }
  }

  var deadline: Instant? {
    .earliest(.earliest(states?.deadline, moments?.deadline), calls?.deadline)
  }

  /// Does what is due.
  func advance(to now: Instant) {
    states?.advance(to: now)
    moments?.advance(to: now)
    calls?.advance(to: now)
  }

  private func take(_ step: SubscriptionStep<ControlInterface.Subscribe.Reply>) {
    switch step {
    case .element(let reply):
      note(nil)
      deliver(.replied(reply, realtimeOffset: realtimeOffsetMicroseconds()))
    case .interrupted(let error):
      deliver(.daemonLost)
      note(error.line)
    case .resumed, .timedOut, .finished: break
    }
  }

  // MARK: Calls

  /// The answer is delivered with `number`.
  func call(_ number: UInt32, _ call: MQTTBridgeCall, at now: Instant) {
    do throws(VarlinkMessageError) {
      let varlink = try call.varlink
      calls?.perform(at: now) { $0.make(varlink, number, at: now) }
    } catch {
      let failure = MQTTCallFailure(code: "invalidParameter", message: error.reason)
      deliver(.answered(number, .failure(failure)))
    }
  }

  private func answered(_ number: UInt32, _ outcome: Calls.Outcome) {
    do throws(StepperClientError) {
      // The replies of all three methods have the state.
      guard let reply = try outcome.get() else { return }
      deliver(.answered(number, .success(try reply.results(of: ControlInterface.Get.self).state)))
    } catch {
      let failure = MQTTCallFailure(error)
      deliver(.answered(number, .failure(failure)))
      // A daemon that answers no calls is not followed either.
      if failure == .daemonAway { states?.perform(at: loop.now) { [loop] in $0.failed(error, at: loop.now) } }
    }
  }
}

extension MQTTCallFailure {
  fileprivate init(_ error: StepperClientError) {
    switch error.code {
    case .cannotConnect, .disconnected, .timedOut, .protocolViolation: self = .daemonAway
    default:
      let isAbsence = error.code == .stopping || error.code == .tooManyConnections
      self.init(code: error.code.description, message: error.message, isAbsence: isAbsence)
    }
  }
}

extension StepperClientError {
  /// The message on one line; of one with more lines the first is a heading.
  fileprivate var line: String {
    let lines = message.split(separator: "\n").map { String($0.drop { $0 == " " }) }
    guard lines.count > 1 else { return message }
    return lines.dropFirst().reduce("") { text, line in
      text.isEmpty ? line : text.hasSuffix(",") ? "\(text) \(line)" : "\(text); \(line)"
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
