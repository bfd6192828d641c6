package import StepperInterfaces
package import Varlink

/// What a ``StepperFollower`` reports.
package enum Followed<Reply: Sendable>: Sendable {
  case reply(Reply)
  /// The connection was lost or could not be opened; there will be another attempt.
  case lost(StepperClientError)
  /// The connection is there again; a reply follows.
  case regained
}

/// Each reply of a call that is answered with a stream, as the daemon sent it, and what becomes of the connection. For
/// programs that pass them on.
///
/// It reads while a task waits in ``next(isolation:)``; at other times everything waits in the daemon, which folds it
/// together. It ends when this goes away.
package final class StepperFollower<Method: VarlinkMethod> {
  private let reader: SubscriptionReader<WholeReplies<Method>>

  fileprivate init(_ reader: SubscriptionReader<WholeReplies<Method>>) { self.reader = reader }

  /// What comes next; nil when the task was cancelled. Throws what does not pass by waiting: the daemon refuses.
  package func next(isolation actor: isolated (any Actor)? = #isolation) async throws(StepperClientError)
    -> Followed<Method.Reply>?
  {
    while let step = try await reader.step(isolation: actor) {
      switch step {
      case .element(let reply): return .reply(reply)
      case .interrupted(let error): return .lost(error)
      case .resumed: return .regained
      case .timedOut, .finished: continue
      }
    }
    return nil
  }
}

extension StepperClient {
  /// Follows the replies to ``StepperInterfaces/ControlInterface/Subscribe``, and continues after the last one when the
  /// connection was lost. It waits for a daemon that does not run, at most `longestPause` between two attempts.
  package func follower(
    _ parameters: ControlInterface.Subscribe.Parameters, longestPause: Duration
  ) -> StepperFollower<ControlInterface.Subscribe> {
    follower(parameters, longestPause) { parameters, reply in
      parameters.instance = reply.instance
      parameters.sinceSequence = reply.sequence
    }
  }

  /// Follows the replies to ``StepperInterfaces/ControlInterface/SubscribeMoments``, as above.
  package func follower(
    _ parameters: ControlInterface.SubscribeMoments.Parameters, longestPause: Duration
  ) -> StepperFollower<ControlInterface.SubscribeMoments> {
    follower(parameters, longestPause) { _, _ in }
  }

  private func follower<Method: VarlinkMethod>(
    _ parameters: Method.Parameters, _ longestPause: Duration,
    continuing: @escaping @Sendable (inout Method.Parameters, Method.Reply) -> Void
  ) -> StepperFollower<Method> {
    let plan = SubscriptionPlan(
      client: self, pending: WholeReplies<Method>(parameters: parameters, continuing: continuing),
      waitsForDaemon: true, longestPause: longestPause)
    return StepperFollower(SubscriptionReader(plan, reading: .onDemand))
  }
}

/// The replies that a reader has not taken yet, as they came: one or two, as it reads on demand.
struct WholeReplies<Method: VarlinkMethod>: PendingReplies {
  private(set) var parameters: Method.Parameters
  /// How to continue after a reply with another call.
  let continuing: @Sendable (inout Method.Parameters, Method.Reply) -> Void
  private var waiting: [Method.Reply] = []

  init(
    parameters: Method.Parameters,
    continuing: @escaping @Sendable (inout Method.Parameters, Method.Reply) -> Void
  ) {
    (self.parameters, self.continuing) = (parameters, continuing)
  }

  mutating func add(_ reply: Method.Reply) {
    continuing(&parameters, reply)
    waiting.append(reply)
  }

  mutating func take() -> Method.Reply? { waiting.isEmpty ? nil : waiting.removeFirst() }
}
