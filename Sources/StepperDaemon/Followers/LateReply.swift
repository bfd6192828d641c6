import StepperCore
import Varlink

/// The one reply to a call, sent when work of the daemon has ended that the loop does not wait for.
protocol LateReply: Follower {
  /// Whether the work has ended.
  var isReady: Bool { get }
  /// Whether the reply was sent.
  var isSent: Bool { get set }
  /// Sends the reply; only if ``isReady``.
  func send(on connection: inout VarlinkServerConnection)
}

extension LateReply {
  var due: Instant? { isReady && !isSent ? Instant(nanoseconds: 0) : nil }

  func sendReply(on connection: inout VarlinkServerConnection, at now: Instant) -> Instant? {
    guard due != nil else { return nil }
    isSent = true
    send(on: &connection)
    return nil
  }
}
