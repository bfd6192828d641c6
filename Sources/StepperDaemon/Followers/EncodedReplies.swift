import StepperCore
import StepperInterfaces

/// Encoded replies for subscribers with equal requests, so that a change is encoded once.
struct EncodedReplies {
  /// The properties of a subscription that determine its replies, besides ``Stamp``.
  struct Key: Hashable {
    var isSnapshot: Bool
    var controls: [ControlID]
    var coalesced: Int64
  }

  /// The state of the world that replies report; they are discarded after a newer change.
  struct Stamp: Hashable {
    var instance: String
    var sequence: Int64
  }

  private var stamp: Stamp?
  private var replies: [Key: [UInt8]] = [:]

  /// The parameters of the reply for `key` at `stamp`; encoded from `reply` if absent.
  mutating func parameters(
    for key: Key, at stamp: Stamp, reply: () -> ControlInterface.Subscribe.Reply
  ) -> [UInt8] {
    if self.stamp != stamp {
      self.stamp = stamp
      replies.removeAll(keepingCapacity: true)
    }
    if let known = replies[key] { return known }
    var json: [UInt8] = []
    reply().appendJSON(to: &json)
    replies[key] = json
    return json
  }
}
