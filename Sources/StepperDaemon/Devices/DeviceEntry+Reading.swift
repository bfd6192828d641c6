import StepperCore
import StepperLinux
import SystemPackage

extension DeviceEntry {
  /// Reads up to `most` frames into `queue`; those of an unused device into `observed`. Returns their number, and that
  /// of events, ends of frames included.
  func read(
    atMost most: Int64, into queue: inout InputQueue, _ observed: inout [ObservedFrame], at now: Instant
  ) throws(Errno) -> (frames: Int64, events: Int64) {
    guard let device else { return (0, 0) }
    let former = device.readCount
    var count: Int64 = 0
    defer { hasUnread = device.hasUnread }
    while count < most, device.readCount - former < most * ReadShare.eventsPerFrame {
      guard let reading = try device.nextFrame(now: now) else { break }
      count += 1
      switch reading {
      case .frame(let frame):
        guard !frame.events.isEmpty else { continue }
        events += Int64(frame.events.count)
        if let id {
          queue.append(.frame(id, frame.events), at: frame.time)
        } else {
          observed.append(ObservedFrame(device: name, time: frame.time, events: frame.events))
        }
      case .resynchronized(let state):
        overruns += 1
        if id == nil {
          observed.append(ObservedFrame(device: name, state))
        }
        resynchronize(state, into: &queue)
      }
    }
    frames += count
    return (count, device.readCount - former)
  }

  /// Notes the state of the device after a resynchronization.
  func resynchronize(_ state: Resynchronization, into queue: inout InputQueue) {
    guard let id else { return }
    events += Int64(state.events.count)
    queue.append(.resynchronized(id, state.events, keysDown: state.keysDown), at: state.time)
  }
}
