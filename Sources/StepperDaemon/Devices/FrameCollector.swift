import StepperCore
import StepperInput
import SystemPackage

/// Reads the frames of devices into a queue, each device within its share of a wakeup.
struct FrameCollector {
  private var share = ReadShare(time: WakeupTime.reading)
  private(set) var counters = ReadCounters()

  /// The result of a read.
  struct Result {
    var frames: Int64 = 0
    /// The number of events, ends of frames included.
    var events: Int64 = 0
    /// Whether the kernel dropped events, after which the device was resynchronized.
    var hasOverrun = false
  }

  /// Reads `device`. `openCount` devices share the budget of a wakeup.
  mutating func read(
    _ device: EvdevDevice, of entry: DeviceEntry, as id: DeviceNumber, openCount: Int,
    into queue: inout InputQueue, at now: Instant
  ) throws(Errno) -> Result {
    let most = share.frames(ofDevices: openCount)
    let former = device.readCount
    var result = Result()
    entry.hasUnread = true
    while result.frames < most, device.readCount - former < most * ReadShare.eventsPerFrame {
      guard let reading = try device.nextFrame(now: now) else {
        entry.hasUnread = false
        break
      }
      result.frames += 1
      switch reading {
      case .frame(let frame):
        guard !frame.events.isEmpty else { continue }
        entry.events += Int64(frame.events.count)
        queue.append(.frame(id, frame.events), at: frame.time)
      case .resynchronized(let state):
        entry.overruns += 1
        result.hasOverrun = true
        note(state, of: entry, as: id, into: &queue)
      }
    }
    counters.frames += result.frames
    entry.frames += result.frames
    if entry.hasUnread { counters.budgetOverruns += 1 }
    result.events = device.readCount - former
    return result
  }

  /// The state of the device after a resynchronization.
  func note(
    _ state: Resynchronization, of entry: DeviceEntry, as id: DeviceNumber, into queue: inout InputQueue
  ) {
    entry.events += Int64(state.events.count)
    queue.append(.resynchronized(id, state.events, keysDown: state.keysDown), at: state.time)
  }

  /// Reports the time that the engine and the subscribers needed for `inputs` inputs, which determines the number of
  /// reads in the next wakeups.
  mutating func note(inputs: Int, took time: Duration) { share.note(frames: inputs, took: time) }
}
