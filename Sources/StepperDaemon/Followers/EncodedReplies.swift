import StepperCore
import StepperInterfaces
import Varlink

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
  private var replies: [Key: VarlinkParameters] = [:]

  /// The parameters of the reply for `key` at `stamp`; encoded from `reply` if absent. Throws if it cannot be encoded.
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
