import StepperCore
import StepperInterfaces
import Varlink

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
  private var replies: [Key: VarlinkParameters] = [:]

  /// The parameters of the reply for `key`, of the world at `stamp`; encoded from `reply` where there are none yet. Throws
  /// if it cannot be encoded.
  mutating func parameters(
    for key: Key, at stamp: Stamp, reply: () -> ControlInterface.Subscribe.Reply
  ) throws(VarlinkMessageError) -> VarlinkParameters {
    if self.stamp != stamp {
      self.stamp = stamp
      replies.removeAll(keepingCapacity: true)
    }
    if let known = replies[key] { return known }
    let parameters = try VarlinkParameters(encoding: reply())
    replies[key] = parameters
    return parameters
  }
}
