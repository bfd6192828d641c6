package import Varlink

/// A call that is answered with a stream of replies, with what they brought and a reader has not taken yet. That has a
/// limit, however slow the reader is.
package protocol PendingReplies: Sendable {
  associatedtype Method: VarlinkMethod
  associatedtype Element: Sendable

  /// What to call the method with: another call continues after the last reply, as far as the daemon can.
  var parameters: Method.Parameters { get }

  mutating func add(_ reply: Method.Reply)

  /// Takes the element that waited longest.
  mutating func take() -> Element?

  /// Changes the parameters to those that a daemon accepts that failed with `error`; false: there are none.
  mutating func adapt(to error: StepperClientError) -> Bool
}

extension PendingReplies {
  package mutating func adapt(to error: StepperClientError) -> Bool { false }
}

/// What to follow, and of which daemon.
struct SubscriptionPlan<Pending: PendingReplies>: Sendable {
  let client: StepperClient
  let pending: Pending
  let policy: SubscriptionPolicy

  init(_ client: StepperClient, _ pending: Pending, waitsForDaemon: Bool = false) {
    (self.client, self.pending) = (client, pending)
    policy = SubscriptionPolicy(waitsForDaemon ? .fromStart : .afterReply, timeout: client.timeout)
  }
}
