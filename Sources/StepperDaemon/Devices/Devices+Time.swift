import StepperCore
import StepperSystem

/// What happens to devices by the time alone.
extension Devices {
  /// When something is due by itself.
  var deadline: Instant? {
    let due = entries.flatMap { entry in
      [entry.retry?.at, entry.hapticRetry?.at, entry.storm.deadline, mustReadOn(entry) ? now : nil]
    }
    return (due + [buttons.deadline]).compactMap(\.self).min()
  }

  /// What is due happens: clicks end, closed devices are tried again.
  func fire() {
    readOn()
    endClicks()
    retryHaptics()
    for entry in entries where entry.retry.map({ $0.at <= now }) ?? false {
      if entry.className != nil {
        openClassDevice(entry)
      } else if entry.identity == nil {
        entry.retry = nil
      } else {
        open(entry)
      }
    }
  }
}
