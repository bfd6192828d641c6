internal import StepperCore
package import StepperInterfaces
package import Varlink

/// What a ``StepperFollower`` reports.
package enum Followed<Reply: Sendable>: Sendable {
  case reply(Reply)
  /// The connection was lost or could not be opened, or the daemon refuses the call; there will be another attempt.
  /// Reported again whenever the reason changes.
  case lost(StepperClientError)
  /// The connection is open again; a reply follows.
  case regained

  /// Returns nil if `step` is the end of a wait.
  package init?(_ step: SubscriptionStep<Reply>) {
    switch step {
    case .element(let reply): self = .reply(reply)
    case .interrupted(let error): self = .lost(error)
    case .resumed: self = .regained
    case .timedOut, .finished: return nil
    }
  }
}

/// Each reply of a call that is answered with a stream, as the daemon sent it, and the state of the connection. For
/// programs that pass the replies on.
///
/// It reads while a task waits in ``next(isolation:)``; between two calls the daemon coalesces changes. It waits for
/// a daemon that does not run or that refuses the call, and continues after the last reply. It ends when this object
/// is released.
package final class StepperFollower<Method: FollowedMethod> {
  private let reader: SubscriptionReader<WholeReplies<Method>>

  fileprivate init(
    _ client: StepperClient, _ method: Method.Type, _ parameters: Method.Parameters, _ longestPause: Duration
  ) {
    let retry = Retry(shortestPause: .milliseconds(100), longestPause: longestPause)
    let policy = SubscriptionPolicy(.always, timeout: client.timeout, retry: retry)
    reader = SubscriptionReader(
      SubscriptionPlan(client, WholeReplies(method, parameters), policy), reading: .onDemand)
  }

  /// The next event; nil when the task was cancelled. Throws if the system has no thread or no descriptor left.
  package func next(isolation actor: isolated (any Actor)? = #isolation) async throws(StepperClientError)
    -> Followed<Method.Reply>?
  {
    while let step = try await reader.step(isolation: actor) {
      if let event = Followed(step) { return event }
    }
    return nil
  }
}

extension StepperClient {
  /// Follows the replies to ``StepperInterfaces/ControlInterface/Subscribe``, with at most `longestPause` between two
  /// attempts to connect.
  package func follower(
    _ parameters: ControlInterface.Subscribe.Parameters, longestPause: Duration
  ) -> StepperFollower<ControlInterface.Subscribe> {
    StepperFollower(self, ControlInterface.Subscribe.self, parameters, longestPause)
  }

  /// Follows the replies to ``StepperInterfaces/ControlInterface/SubscribeMoments`` in the same way.
  package func follower(
    _ parameters: ControlInterface.SubscribeMoments.Parameters, longestPause: Duration
  ) -> StepperFollower<ControlInterface.SubscribeMoments> {
    StepperFollower(self, ControlInterface.SubscribeMoments.self, parameters, longestPause)
  }
}
