import StepperCore
import StepperLinux
import SystemPackage

/// Unused devices that are open because a client watches them. They are never grabbed, their outputs are not used, and
/// their events do not reach the engine.
extension Devices {
  /// The number of unused devices that may be open at once.
  static var mostUnusedOpen: Int { 32 }

  /// Opens the unused devices that are wanted, and closes the others.
  func watchUnused(where isWanted: (DeviceEntry) -> Bool) {
    var wanted: [DeviceEntry] = []
    for entry in entries where entry.configuration == nil {
      if isWanted(entry) { wanted.append(entry) } else { closeUnused(entry) }
    }
    var openCount = 0
    for entry in wanted where entry.device != nil { openCount += 1 }
    for entry in wanted where entry.device == nil && entry.provided == nil && entry.retry.at == nil {
      guard openCount < Self.mostUnusedOpen else {
        setWatchProblem(
          of: entry, "\(Self.mostUnusedOpen) unused devices are open already, which is the most")
        continue
      }
      openUnused(entry)
      if entry.device != nil { openCount += 1 }
    }
  }

  func openUnused(_ entry: DeviceEntry) {
    guard let identity = entry.nodeIdentity, entry.device == nil else { return }
    entry.retry.begin()
    do throws(Errno) {
      let device = try EvdevDevice(node: identity.node)
      try watch(device, of: entry)
      entry.device = device
      entry.retry.succeed(at: now)
      noteEntries()
      setWatchProblem(of: entry, nil)
    } catch {
      failedWatching(entry, error)
    }
  }

  /// Tries again to open a device that has changed: the daemon may now have the permission.
  func watchAgain(_ entry: DeviceEntry) {
    if entry.retry.at != nil { openUnused(entry) }
  }

  /// Handles a watched device that could not be opened, or cannot be read any more.
  func failedWatching(_ entry: DeviceEntry, _ error: Errno) {
    stopReading(entry)
    entry.retry.failed(at: now)
    noteTime(of: entry)
    setWatchProblem(of: entry, DeviceProblem(node: entry.identity?.node ?? "", error: error).message)
  }

  private func setWatchProblem(of entry: DeviceEntry, _ problem: String?) {
    guard entry.watchProblem != problem else { return }
    entry.watchProblem = problem
    note(entry.name)
  }

  private func closeUnused(_ entry: DeviceEntry) {
    guard entry.device != nil || entry.retry.at != nil || entry.watchProblem != nil else { return }
    stopReading(entry)
    entry.retry.clear()
    entry.watchProblem = nil
    noteEntries()
  }
}

// MARK: Frames of used devices

extension Devices {
  /// The frame of a used device that `input` contains; nil if `input` is not a frame.
  func observedFrame(of input: Input, at time: Instant) -> ObservedFrame? {
    switch input {
    case .frame(let id, let events):
      name(of: id).map { ObservedFrame(device: $0, time: time, events: events) }
    case .resynchronized(let id, let events, _):
      name(of: id).map { ObservedFrame(device: $0, time: time, events: events, isResynchronized: true) }
    default: nil
    }
  }

  /// The name of a device, even if it was disconnected in this wakeup.
  private func name(of id: DeviceNumber) -> String? {
    (index[id] ?? entries.first { $0.formerID == id })?.name
  }
}
