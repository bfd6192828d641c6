import StepperCore
import StepperSystem

/// What happens to devices by the time alone, and the order of what was read.
extension Devices {
  /// The loop has woken up.
  func wake(at now: Instant) { self.now = now }

  /// When something is due by itself.
  var deadline: Instant? {
    let due = entries.flatMap { entry in
      [entry.retry?.at, entry.hapticRetry?.at, entry.storm.deadline, mustReadOn(entry) ? now : nil]
    }
    return (due.compactMap(\.self) + clicks.values).min()
  }

  /// What is due happens: clicks end, closed devices are tried again.
  func fire(at now: Instant) {
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

  /// Gives the engine what was read, in the order of the time stamps. A stamp ahead of the wakeup is taken
  /// as the wakeup's.
  func applyPending() {
    guard !pending.isEmpty else { return }
    let began = Instant.now
    // Inputs of one device keep their order also where their stamps are equal.
    let inputs = pending.enumerated().sorted { ($0.element.stamp, $0.offset) < ($1.element.stamp, $1.offset) }
    pending = []
    for (_, (stamp, input)) in inputs { controls.advance(to: min(stamp, now), applying: input) }
    share.note(frames: inputs.count, took: .now - began)
  }
}
