import StepperCore

/// Determines the number of frames to read from one device in one wakeup, and counts the reads and storms that exceeded it.
///
/// The cost of a frame is the time that the engine and the subscribers need for it. It depends on the configuration and
/// is therefore measured. The frames of all devices together fit into the time budget, and each device has the same
/// share.
struct ReadAccount {
  /// The time budget for the frames of all devices in one wakeup.
  let time: Duration
  /// The recent cost of a frame in nanoseconds.
  private var frameCost: Int64 = 0
  /// Reads that left events for the next wakeup.
  private(set) var unfinishedReads: Int64 = 0
  /// The number of storms that have begun, of all devices, and of the pauses in reading that they caused.
  private(set) var storms: Int64 = 0
  private(set) var stormPauses: Int64 = 0

  /// Maximum number of frames. The kernel queues fewer for a device with few axes, so that a burst fits into one wakeup.
  static let most: Int64 = 128
  /// The number of events per frame in a share, ends of frames included.
  static let eventsPerFrame: Int64 = 4

  init(time: Duration = WakeupTime.reading) { self.time = time }

  /// The number of frames to read from one of `count` open devices: at least one, so that every device makes progress.
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

  mutating func noteUnfinishedRead() { unfinishedReads += 1 }

  /// Records a pause in reading a device. `isNew`: the pause begins a new storm.
  mutating func notePause(isNew: Bool) {
    stormPauses += 1
    if isNew { storms += 1 }
  }
}
