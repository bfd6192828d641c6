import StepperCore
import StepperWire

/// The replies to one `org.stepperd.control.SubscribeMoments`.
///
/// Moments are events: nothing stands for one that is lost, so they are kept for a reader that is slow, but not
/// without end.
final class MomentFeed: ReplyStream {
  private let patterns: [String]
  private var waiting: [ControlInterface.MomentEvent] = []
  private var dropped: Int64 = 0
  /// The first reply is empty and comes at once, so that the client knows from when on it follows.
  private var isNew = true

  /// More than a person can feel in the time a client may take.
  static let mostWaiting = 256

  init(_ parameters: ControlInterface.SubscribeMoments.Parameters) { patterns = parameters.match ?? ["*"] }

  var stopping: VarlinkFailure { VarlinkFailure(ControlInterface.Stopping()) }

  func note(_ event: ControlInterface.MomentEvent) {
    guard patterns.contains(where: { glob($0, matches: event.control) }) else { return }
    if waiting.count == Self.mostWaiting {
      waiting.removeFirst()
      dropped += 1
    }
    waiting.append(event)
  }

  var due: Instant? { waiting.isEmpty && !isNew ? nil : Instant(nanoseconds: 0) }

  func tell(_ connection: inout VarlinkServerConnection, at now: Instant) -> Instant? {
    defer { (waiting, dropped, isNew) = ([], 0, false) }
    connection.reply(
      ControlInterface.SubscribeMoments.Reply(moments: waiting, dropped: dropped), continues: true)
    return nil
  }
}
