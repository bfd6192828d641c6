package import StepperClient
package import StepperCore
package import StepperInterfaces
package import StepperLinux
package import Varlink

/// The daemon of a program on one loop: a connection that follows states, and one for calls. It is waited for as long as it
/// takes.
package final class FollowedDaemon<Call: Sendable> {
  private let loop: EventLoop
  private let states: DaemonChannel<DaemonFollower<ControlInterface.Subscribe>>
  private let calls: DaemonChannel<CallMachine<Call>>

  /// `match`: shell patterns of the controls that are followed with their descriptions; nil: all. `answered` is called for
  /// each call with its reply, or with why there is none.
  package init(
    on loop: EventLoop, at addresses: [StepperAddress], isRestricted: Bool = false, match: [String]?,
    followed: @escaping (Followed<ControlInterface.Subscribe.Reply>) -> Void,
    answered: @escaping (Call, Result<VarlinkReply, StepperClientError>) -> Void
  ) {
    self.loop = loop
    states = DaemonChannel(
      on: loop, to: addresses, isRestricted: isRestricted, following: ControlInterface.Subscribe.self,
      .init(match: match, descriptions: true), followed)
    calls = DaemonChannel(
      on: loop, to: addresses, isRestricted: isRestricted,
      CallMachine(timeout: SubscriptionPolicy.ofPrograms.timeout)
    ) {
      _, call, outcome in
      switch outcome {
      case .success(let reply?): answered(call, .success(reply))
      case .failure(let error): answered(call, .failure(error))
      // The end of a wait that is no call.
      case .success(nil): break
      }
    }
  }

  package var deadline: Instant? { .earliest(states.deadline, calls.deadline) }

  /// Does what is due.
  package func advance(to now: Instant) {
    states.advance(to: now)
    calls.advance(to: now)
  }

  package func make(_ varlink: VarlinkCall, _ call: Call) {
    calls.perform(at: loop.now) { [loop] in $0.make(varlink, call, at: loop.now) }
  }

  /// A call has failed with `error`: a daemon that answers no calls is not followed either, and is connected to anew.
  package func failed(_ error: StepperClientError) {
    guard error.isOfConnection else { return }
    states.perform(at: loop.now) { [loop] in $0.failed(error, at: loop.now) }
  }
}

/// A stream of replies that are passed on as they are, without a queue.
package typealias DaemonFollower<Method: FollowedMethod> = SubscriptionStream<
  WholeReplies<Method>, LoopReader
>

/// The one reader of a ``DaemonFollower``, which always waits for the next reply.
package struct LoopReader: Sendable {}

extension DaemonChannel {
  /// A channel that follows `method`; `take` is given each reply, and each change of the connection.
  package convenience init<Method: FollowedMethod>(
    on loop: EventLoop, to addresses: [StepperAddress], isRestricted: Bool = false,
    following method: Method.Type, _ parameters: Method.Parameters,
    _ take: @escaping (Followed<Method.Reply>) -> Void
  ) where Machine == DaemonFollower<Method> {
    var follower = Machine(WholeReplies(method, parameters), reading: .onDemand, .ofPrograms)
    follower.wait(LoopReader(), until: nil, at: loop.now)
    self.init(on: loop, to: addresses, isRestricted: isRestricted, follower) { [loop] channel, reader, step in
      if let event = Followed(step) { take(event) }
      channel.perform(at: loop.now) { $0.wait(reader, until: nil, at: loop.now) }
    }
  }
}

extension SubscriptionPolicy {
  /// For as long as it takes. What comes and goes is not tried more and more often.
  fileprivate static let ofPrograms = SubscriptionPolicy(
    .always,
    retry: Retry(
      shortestPause: .milliseconds(100), longestPause: .seconds(2), stableAfter: .seconds(10)))
}
