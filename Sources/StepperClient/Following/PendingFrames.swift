internal import StepperCore
internal import StepperInterfaces

/// The frames that a reader has not taken yet, as one reply. When there are too many, the oldest frames are lost and
/// counted in ``StepperInterfaces/DeviceInterface/Monitor/Reply/dropped``.
struct PendingFrames: PendingReplies {
  typealias Method = DeviceInterface.Monitor

  /// Four times what the daemon keeps, so that only a reader that has stopped loses frames here.
  static let limit = 1024

  /// The same for every call: frames are events, and a new call does not bring back those that happened without a
  /// subscriber.
  let parameters: Method.Parameters
  private var waiting: Method.Reply?

  init(_ parameters: Method.Parameters = .init()) { self.parameters = parameters }

  mutating func add(_ reply: Method.Reply) {
    guard var all = waiting else {
      waiting = reply
      return
    }
    let renewed = Set(reply.devices.map(\.device))
    let gone = Set(reply.removed)
    all.devices =
      (all.devices.filter { !renewed.contains($0.device) && !gone.contains($0.device) } + reply.devices)
      .suffix(Self.limit)
    all.removed = (all.removed.filter { !renewed.contains($0) && !gone.contains($0) } + reply.removed)
      .suffix(Self.limit)
    all.frames += reply.frames
    let surplus = max(0, all.frames.count - Self.limit)
    all.frames.removeFirst(surplus)
    // The daemon's counts may be any numbers.
    all.dropped = all.dropped.addingSaturating(reply.dropped).addingSaturating(Int64(surplus))
    waiting = all
  }

  mutating func take() -> Method.Reply? {
    defer { waiting = nil }
    return waiting
  }
}
