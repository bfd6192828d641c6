package import StepperClient
package import StepperCore
package import StepperInterfaces
package import StepperLinux
package import Varlink

/// A program's daemon on one loop, with one connection that follows states and one for calls. Reconnects for as long as it takes.
package final class FollowedDaemon<Call: Sendable> {
  private let loop: EventLoop
  private let states: DaemonChannel<DaemonFollower<ControlInterface.Subscribe>>
  private let calls: DaemonChannel<CallMachine<Call>>

  /// `match`: shell patterns of the controls that are followed, with their descriptions; nil: all. `answered` is called for each call,
  /// with its reply or the reason why there is none.
  package init(
    on loop: EventLoop, at choice: AddressChoice, isRestricted: Bool = false, match: [String]?,
    followed: @escaping (Followed<ControlInterface.Subscribe.Reply>) -> Void,
    answered: @escaping (Call, Result<VarlinkReply, StepperClientError>) -> Void
  ) {
    self.loop = loop
    states = DaemonChannel(
      on: loop, to: choice, isRestricted: isRestricted, following: ControlInterface.Subscribe.self,
      .init(match: match, descriptions: true), followed)
    calls = DaemonChannel(
      on: loop, to: choice, isRestricted: isRestricted,
      CallMachine(timeout: SubscriptionPolicy.ofPrograms.timeout)
    ) {
      _, call, outcome in
      switch outcome {
      case .success(let reply?): answered(call, .success(reply))
      case .failure(let error): answered(call, .failure(error))
      // The end of a wait that was not a call.
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

  /// A call has failed with `error`. A daemon that does not answer calls cannot be followed either, so a new connection is made.
  package func failed(_ error: StepperClientError) {
    guard error.isOfConnection else { return }
    states.perform(at: loop.now) { [loop] in $0.failed(error, at: loop.now) }
  }
}

/// A stream whose replies are passed on unchanged, without a queue.
package typealias DaemonFollower<Method: FollowedMethod> = SubscriptionStream<
  WholeReplies<Method>, LoopReader
>

/// The one reader of a ``DaemonFollower``, which always waits for the next reply.
package struct LoopReader: Sendable {}

extension DaemonChannel {
  /// Creates a channel that follows `method`. `take` is called with each reply and each change of the connection.
  package convenience init<Method: FollowedMethod>(
    on loop: EventLoop, to choice: AddressChoice, isRestricted: Bool = false,
    following method: Method.Type, _ parameters: Method.Parameters,
    _ take: @escaping (Followed<Method.Reply>) -> Void
  ) where Machine == DaemonFollower<Method> {
    var follower = Machine(WholeReplies(method, parameters), reading: .onDemand, .ofPrograms)
    follower.wait(LoopReader(), until: nil, at: loop.now)
    self.init(on: loop, to: choice, isRestricted: isRestricted, follower) { [loop] channel, reader, step in
      if let event = Followed(step) { take(event) }
      channel.perform(at: loop.now) { $0.wait(reader, until: nil, at: loop.now) }
    }
  }
}

extension SubscriptionPolicy {
  /// Retries for ever. If the connection keeps coming and going, the attempts do not become more frequent.
  fileprivate static let ofPrograms = SubscriptionPolicy(
    .always,
    retry: Retry(
      shortestPause: .milliseconds(100), longestPause: .seconds(2), stableAfter: .seconds(10)))
}
