import StepperCore
import StepperInterfaces
import Varlink

/// The replies to one `org.stepperd.control.SubscribeMoments`.
///
/// Moments are events and cannot be coalesced: they are queued for a slow subscriber, up to a limit.
final class MomentFollower: ReplyStream {
  private let patterns: NamePatterns
  /// Whether the names of past moments match; evaluated once for each name.
  private var fitting: [String: Bool] = [:]
  private var waiting = WaitingMoments()
  private var dropped: Int64 = 0
  /// The first reply is empty and immediate, so that the client knows the start of its subscription.
  private var isNew = true
  var whenDue: (() -> Void)?

  /// More names than a configuration has; the names are discarded when reloads have added this many.
  private static let mostNames = 512

  init(_ parameters: ControlInterface.SubscribeMoments.Parameters) {
    patterns = parameters.match.map(NamePatterns.init) ?? .all
  }

  var stopping: VarlinkFailure { VarlinkFailure(ControlInterface.Stopping()) }

  /// Records a moment of a control.
  func note(_ moment: ControlInterface.MomentEvent) {
    guard follows(moment.control) else { return }
    dropped += waiting.append(moment)
    whenDue?()
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

/// The newest pending moments of a subscriber, limited by their number and by their size in a reply.
struct WaitingMoments {
  private var moments: [ControlInterface.MomentEvent] = []
  /// The number of dropped moments at the start of the array, which are removed in bulk.
  private var droppedCount = 0
  private var size = 0

  /// More than a person can perceive in the time of a slow client.
  static let mostMoments = 256
  /// A quarter of the maximum size of a reply.
  static let mostBytes = 256 << 10

  var isEmpty: Bool { moments.isEmpty }

  /// Returns the number of the oldest moments that were dropped.
  mutating func append(_ moment: ControlInterface.MomentEvent) -> Int64 {
    let former = droppedCount
    moments.append(moment)
    size += moment.replySize
    while moments.count - droppedCount > Self.mostMoments || size > Self.mostBytes {
      size -= moments[droppedCount].replySize
      droppedCount += 1
    }
    defer {
      if droppedCount >= Self.mostMoments {
        moments.removeFirst(droppedCount)
        droppedCount = 0
      }
    }
    return Int64(droppedCount - former)
  }

  mutating func takeAll() -> [ControlInterface.MomentEvent] {
    defer { (moments, droppedCount, size) = ([], 0, 0) }
    return Array(moments[droppedCount...])
  }
}
