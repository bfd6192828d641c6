import StepperCore
import StepperInterfaces

/// Replies that were encoded for one follower and are the same for others, so that a change is encoded once however many
/// follow it.
struct EncodedReplies {
  /// What makes two replies equal, besides ``Stamp``.
  struct Key: Hashable {
    var isSnapshot: Bool
    var controls: [ControlID]
    var coalesced: Int64
  }

  /// What the replies tell of: they are of no use once there is a newer change.
  struct Stamp: Hashable {
    var instance: String
    var sequence: Int64
  }

  private var stamp: Stamp?
  private var replies: [Key: [UInt8]] = [:]

  /// The parameters of the reply for `key`, of the world at `stamp`; made by `reply` where there are none yet.
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
