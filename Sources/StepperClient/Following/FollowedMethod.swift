internal import StepperInterfaces
internal import Varlink

/// A method that is answered with a stream of replies, and called again when the connection was lost.
protocol FollowedMethod: VarlinkMethod {
  /// Changes `parameters` so that another call continues after `reply`, as far as the daemon can.
  static func resume(_ parameters: inout Parameters, after reply: Reply)
}

extension ControlInterface.Subscribe: FollowedMethod {
  static func resume(_ parameters: inout Parameters, after reply: Reply) {
    parameters.instance = reply.instance
    parameters.sinceSequence = reply.sequence
  }
}

extension ControlInterface.SubscribeMoments: FollowedMethod {
  /// Moments are events: those of the time without a subscriber are lost.
  static func resume(_ parameters: inout Parameters, after reply: Reply) {}
}

/// What replies brought and a reader has not taken yet. It has a limit, however slow the reader is.
protocol PendingReplies: Sendable {
  associatedtype Method: FollowedMethod
  associatedtype Element: Sendable

  mutating func add(_ reply: Method.Reply)

  /// Takes the element that waited longest.
  mutating func take() -> Element?
}

/// What to follow, and of which daemon.
struct SubscriptionPlan<Method: FollowedMethod>: Sendable {
  let client: StepperClient
  let parameters: Method.Parameters
  /// Whether to go on trying when the very first connection fails.
  let waitsForDaemon: Bool
}
