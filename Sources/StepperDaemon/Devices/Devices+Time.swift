import StepperCore

/// The work of devices at their deadlines.
extension Devices {
  /// The next deadline of the devices.
  var deadline: Instant? {
    var next = buttons.deadline
    for entry in entries {
      next = .earliest(next, entry.retry.at)
      next = .earliest(next, entry.hapticRetry.at)
      next = .earliest(next, entry.storm.deadline)
      if mustContinueReading(entry) { next = .earliest(next, now) }
    }
    return next
  }

  /// Does the work that is due: ends clicks and repeats attempts to open devices.
  func fire() {
    continueReading()
    endClicks()
    retryHaptics()
    for entry in entries where entry.retry.isDue(at: now) {
      if entry.className != nil {
        openClassDevice(entry)
      } else if entry.identity == nil {
        entry.retry.clear()
      } else {
        open(entry)
      }
    }
  }
}
