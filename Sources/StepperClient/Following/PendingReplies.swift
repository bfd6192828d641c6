package import Varlink

/// A call that is answered with a stream of replies, together with the elements that its reader has not taken yet.
/// Their number is limited, however slow the reader is.
package protocol PendingReplies: Sendable {
  associatedtype Method: VarlinkMethod
  associatedtype Element: Sendable

  /// The parameters of the next call: it continues after the last reply, as far as the daemon can.
  var parameters: Method.Parameters { get }

  mutating func add(_ reply: Method.Reply)

  /// Takes the element that has waited longest.
  mutating func take() -> Element?

  /// Changes the parameters to ones that a daemon which answered `error` accepts; false: there are none.
  mutating func adapt(to error: StepperClientError) -> Bool
}

extension PendingReplies {
  package mutating func adapt(to error: StepperClientError) -> Bool { false }
}

/// What to follow, and at which daemon.
struct SubscriptionPlan<Pending: PendingReplies>: Sendable {
  let client: StepperClient
  let pending: Pending
  let policy: SubscriptionPolicy

  init(_ client: StepperClient, _ pending: Pending, _ policy: SubscriptionPolicy) {
    (self.client, self.pending, self.policy) = (client, pending, policy)
  }

  init(_ client: StepperClient, _ pending: Pending, waitsForDaemon: Bool = false) {
    let persistence: SubscriptionPolicy.Persistence = waitsForDaemon ? .fromStart : .afterReply
    self.init(client, pending, SubscriptionPolicy(persistence, timeout: client.timeout))
  }
}
