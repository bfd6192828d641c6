import StepperCore
import StepperLinux

/// The work of devices at their deadlines. Devices without a deadline are skipped.
extension Devices {
  /// Adds a device to ``timed`` if it has a deadline. Call it whenever a device may have got one.
  func noteTime(of entry: DeviceEntry) {
    guard !entry.isTimed, entry.deadline(at: now) != nil else { return }
    entry.isTimed = true
    timed.append(entry)
  }

  /// The next deadline of the devices.
  var deadline: Instant? {
    assert(entries.allSatisfy { $0.isTimed || $0.deadline(at: now) == nil }, "a deadline was not noted")
    return timed.reduce(buttons.deadline) { .earliest($0, $1.deadline(at: now)) }
  }

  /// Does the work that is due: ends clicks and leases, and repeats attempts to open devices.
  func fire() {
    endHolds()
    guard !timed.isEmpty else { return }
    for entry in timed {
      continueReading(entry)
      if entry.hapticRetry.isDue(at: now) { attachHaptics(to: entry) }
      if entry.retry.isDue(at: now) { retry(entry) }
    }
    timed.removeAll { entry in
      entry.isTimed = entry.isTimed && entry.deadline(at: now) != nil
      return !entry.isTimed
    }
  }

  private func retry(_ entry: DeviceEntry) {
    if entry.className != nil {
      openClassDevice(entry)
    } else if entry.identity == nil {
      entry.retry.clear()
    } else if entry.configuration == nil {
      openUnused(entry)
    } else {
      open(entry)
    }
  }

  /// Continues or ends the effects that are being played.
  func advanceOutputs(to now: Instant) {
    for entry in timed {
      guard let outputs = entry.outputs, let due = outputs.deadline, due <= now else { continue }
      outputs.advance(to: now)
      reportProblems(of: entry)
    }
  }
}
