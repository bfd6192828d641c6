/// The share of each device in a wakeup, and what exceeded it since the start.
struct ReadAccount {
  private var share = ReadShare(time: WakeupTime.reading)
  /// Reads that left events for the next wakeup.
  private(set) var unfinishedReads: Int64 = 0
  /// Storms of all devices that have begun, and pauses in reading because of them.
  private(set) var storms: Int64 = 0
  private(set) var stormPauses: Int64 = 0

  /// The number of frames to read from one of `count` open devices.
  func frames(ofDevices count: Int) -> Int64 { share.frames(ofDevices: count) }

  /// Records the time that `frames` frames took.
  mutating func note(frames: Int, took time: Duration) { share.note(frames: frames, took: time) }

  mutating func noteUnfinishedRead() { unfinishedReads += 1 }

  /// A device is not read for a while; `isNew`: a storm has begun.
  mutating func notePause(isNew: Bool) {
    stormPauses += 1
    if isNew { storms += 1 }
  }
}
