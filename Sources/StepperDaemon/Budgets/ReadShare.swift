import StepperCore

/// The number of frames read from one device in one wakeup.
///
/// The cost of a frame is that of the engine and of the subscribers, and depends on the configuration. It is
/// measured; the number of frames of all devices together fits into the budget, and each device has the same share of
/// it.
struct ReadShare: Hashable {
  let time: Duration
  /// The recent cost of a frame in nanoseconds.
  private var frameCost: Int64 = 0

  /// More frames than the kernel queues for a device with few axes, so that a burst is one wakeup.
  static let most: Int64 = 128
  /// The number of events per frame in a share, ends of frames included.
  static let eventsPerFrame: Int64 = 4

  init(time: Duration) { self.time = time }

  /// At least one, so that every device makes progress.
  func frames(ofDevices count: Int) -> Int64 {
    let affordable = time.nanoseconds / max(frameCost, 1)
    return min(max(affordable / Int64(max(count, 1)), 1), Self.most)
  }

  /// Records the time that `frames` frames took. The cost rises immediately and falls slowly.
  mutating func note(frames: Int, took time: Duration) {
    guard frames > 0 else { return }
    let cost = time.nanoseconds / Int64(frames)
    frameCost = cost > frameCost ? cost : frameCost - (frameCost - cost) / 8
  }
}
