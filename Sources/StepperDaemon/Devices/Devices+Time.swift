import StepperCore

/// The work of devices at their deadlines.
extension Devices {
  /// The next deadline of the devices.
  var deadline: Instant? {
    let due = entries.flatMap { entry in
      [entry.retry.at, entry.hapticRetry.at, entry.storm.deadline, mustContinueReading(entry) ? now : nil]
    }
    return (due + [buttons.deadline]).compactMap(\.self).min()
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
