import StepperCore

/// How many frames are read of one device in one wakeup.
///
/// Reading a frame costs next to nothing; what the engine and everybody who follows make of it is the cost, and that
/// depends on the configuration. So it is measured, and the frames of all devices together are as many as fit into the
/// budget; each device has the same share of them.
struct ReadShare: Hashable {
  let time: Duration
  /// What a frame cost lately, in nanoseconds.
  private var frameCost: Int64 = 0

  /// As many as wait in the kernel for an ordinary reader.
  static let most: Int64 = 64
  /// For the events of a share, ends of frames included.
  static let eventsPerFrame: Int64 = 4

  init(time: Duration) { self.time = time }

  /// At least one, so that every device goes on.
  func frames(ofDevices count: Int) -> Int64 {
    let affordable = time.nanoseconds / max(frameCost, 1)
    return min(max(affordable / Int64(max(count, 1)), 1), Self.most)
  }

  /// So many frames took so much time. What was dear once is forgotten slowly, and noticed at once.
  mutating func note(frames: Int, took time: Duration) {
    guard frames > 0 else { return }
    let cost = time.nanoseconds / Int64(frames)
    frameCost = cost > frameCost ? cost : frameCost - (frameCost - cost) / 8
  }
}
