internal import StepperInterfaces
internal import Synchronization

/// The moments that a reader has not taken yet, in their order. When there are too many, the oldest are lost and
/// counted.
struct PendingMoments: PendingReplies {
  typealias Method = ControlInterface.SubscribeMoments

  /// Four times what the daemon keeps, so that only a reader that has stopped loses moments here.
  static let limit = 1024

  /// The same for every call: moments are events, and a new call does not bring back those that happened without a
  /// subscriber.
  let parameters: Method.Parameters
  /// The number of moments lost so far, shared by all copies of this value.
  let drops = DropCount()
  private var waiting: [ControlInterface.MomentEvent] = []

  init(_ parameters: Method.Parameters = .init()) { self.parameters = parameters }

  mutating func add(_ reply: Method.Reply) {
    waiting += reply.moments
    let surplus = max(0, waiting.count - Self.limit)
    waiting.removeFirst(surplus)
    drops.add(reply.dropped)
    drops.add(Int64(surplus))
  }

  mutating func take() -> ControlInterface.MomentEvent? { waiting.isEmpty ? nil : waiting.removeFirst() }
}

/// How many moments are known to be lost.
final class DropCount: Sendable {
  private let count = Atomic<Int64>(0)

  var value: Int64 { count.load(ordering: .relaxed) }

  func add(_ lost: Int64) { count.wrappingAdd(lost, ordering: .relaxed) }
}
