import StepperCore
import StepperInterfaces
import Varlink

/// The replies to one `org.stepperd.control.SubscribeMoments`.
///
/// Moments are events: nothing stands for one that is lost, so they are kept for a reader that is slow, but not
/// without end.
final class MomentFollower: Follower {
  private let patterns: NamePatterns
  /// Whether names fit, of those that moments came of: a pattern is read once for each.
  private var fitting: [String: Bool] = [:]
  private var waiting = WaitingMoments()
  private var dropped: Int64 = 0
  /// The first reply is empty and comes at once, so that the client knows from when on it follows.
  private var isNew = true

  /// More names than a configuration has; they are forgotten where reloads bring ever new ones.
  private static let mostNames = 512

  init(_ parameters: ControlInterface.SubscribeMoments.Parameters) {
    patterns = parameters.match.map(NamePatterns.init) ?? .all
  }

  var stopping: VarlinkFailure { VarlinkFailure(ControlInterface.Stopping()) }

  var topic: Change.Topic { .moments }

  func note(_ change: Change) {
    guard case .moment(let event) = change, follows(event.control) else { return }
    dropped += waiting.append(event)
  }

  private func follows(_ control: String) -> Bool {
    if let fits = fitting[control] { return fits }
    if fitting.count == Self.mostNames { fitting = [:] }
    let fits = patterns.fit(control)
    fitting[control] = fits
    return fits
  }

  var due: Instant? { waiting.isEmpty && !isNew ? nil : Instant(nanoseconds: 0) }

  func tell(_ connection: inout VarlinkServerConnection, at now: Instant) -> Instant? {
    defer { (dropped, isNew) = (0, false) }
    connection.reply(
      ControlInterface.SubscribeMoments.Reply(moments: waiting.takeAll(), dropped: dropped), continues: true)
    return nil
  }
}

/// The newest moments that a reader has not been told of, within limits of their number and of their size in a reply.
struct WaitingMoments {
  private var moments: [ControlInterface.MomentEvent] = []
  /// How many of the first ones are dropped already: they are removed many at a time.
  private var droppedCount = 0
  private var size = 0

  /// More than a person can feel in the time a client may take.
  static let mostMoments = 256
  /// A quarter of the most bytes that a reply may have.
  static let mostBytes = 256 << 10

  var isEmpty: Bool { moments.isEmpty }

  /// Returns how many of the oldest were dropped for it.
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
