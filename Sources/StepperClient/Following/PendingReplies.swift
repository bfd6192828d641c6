internal import Varlink

/// A call that is answered with a stream of replies, with what they brought and a reader has not taken yet. That has a
/// limit, however slow the reader is.
protocol PendingReplies: Sendable {
  associatedtype Method: VarlinkMethod
  associatedtype Element: Sendable

  /// What to call the method with: another call continues after the last reply, as far as the daemon can.
  var parameters: Method.Parameters { get }

  mutating func add(_ reply: Method.Reply)

  /// Takes the element that waited longest.
  mutating func take() -> Element?
}

/// What to follow, and of which daemon.
struct SubscriptionPlan<Pending: PendingReplies>: Sendable {
  let client: StepperClient
  let pending: Pending
  /// Whether to go on trying when the very first connection fails.
  let waitsForDaemon: Bool
  /// The most time between two attempts to connect again.
  var longestPause = Duration.seconds(5)
}
