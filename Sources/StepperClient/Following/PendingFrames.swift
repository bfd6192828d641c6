internal import StepperInterfaces

/// What a reader of frames has not taken yet, as one reply. When there are too many frames the oldest are lost, and
/// counted in ``StepperInterfaces/DeviceInterface/Monitor/Reply/dropped``.
struct PendingFrames: PendingReplies {
  typealias Method = DeviceInterface.Monitor

  /// Four times what the daemon keeps, so that only a reader that has stopped loses any here.
  static let limit = 1024

  /// Frames are events: another call does not bring back those of the time without a subscriber.
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
    var dropped = Self.sum(all.dropped, reply.dropped)
    let surplus = max(0, all.frames.count - Self.limit)
    all.frames.removeFirst(surplus)
    dropped = Self.sum(dropped, Int64(surplus))
    all.dropped = dropped
    waiting = all
  }

  /// What a daemon counts may be any number.
  private static func sum(_ one: Int64, _ other: Int64) -> Int64 {
    let (sum, overflow) = one.addingReportingOverflow(other)
    return overflow ? (one < 0 ? .min : .max) : sum
  }

  mutating func take() -> Method.Reply? {
    defer { waiting = nil }
    return waiting
  }
}
