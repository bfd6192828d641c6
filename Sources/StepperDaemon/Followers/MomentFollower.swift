import StepperCore
import StepperInterfaces
import Varlink

/// The replies to one `org.stepperd.control.SubscribeMoments`.
///
/// Moments are events and cannot be coalesced: they are queued for a slow subscriber, up to a limit.
final class MomentFollower: Follower {
  let session: Int64
  private let patterns: NamePatterns
  /// Whether the names of past moments match; evaluated once for each name.
  private var fitting: [String: Bool] = [:]
  private var waiting = WaitingEvents<ControlInterface.MomentEvent>()
  private var dropped: Int64 = 0
  /// The first reply is empty and immediate, so that the client knows the start of its subscription.
  private var isNew = true

  /// More names than a configuration has; the names are discarded when reloads have added this many.
  private static let mostNames = 512

  init(_ parameters: ControlInterface.SubscribeMoments.Parameters, for session: Int64) {
    self.session = session
    patterns = parameters.match.map(NamePatterns.init) ?? .all
  }

  var stopping: VarlinkFailure { VarlinkFailure(ControlInterface.Stopping()) }

  /// Records a moment of a control.
  func note(_ moment: ControlInterface.MomentEvent) {
    guard follows(moment.control) else { return }
    dropped += waiting.append(moment, size: moment.replySize)
  }

  private func follows(_ control: String) -> Bool {
    if let fits = fitting[control] { return fits }
    if fitting.count == Self.mostNames { fitting = [:] }
    let fits = patterns.fit(control)
    fitting[control] = fits
    return fits
  }

  var due: Instant? { waiting.isEmpty && !isNew ? nil : Instant(nanoseconds: 0) }

  func sendReply(on connection: inout VarlinkServerConnection, at now: Instant) -> Instant? {
    defer { (dropped, isNew) = (0, false) }
    connection.reply(
      ControlInterface.SubscribeMoments.Reply(moments: waiting.takeAll(), dropped: dropped), continues: true)
    return nil
  }
}
