import StepperCore

/// What happens to devices by the time alone, and the order of what was read.
extension Devices {
  /// The loop has woken up.
  func wake(at now: Instant) { self.now = now }

  /// When something is due by itself.
  var deadline: Instant? {
    (entries.compactMap { $0.retry?.at } + entries.compactMap { $0.hapticRetry?.at } + clicks.map(\.due))
      .min()
  }

  /// What is due happens: clicks end, closed devices are tried again.
  func fire(at now: Instant) {
    for click in clicks.filter({ $0.due <= now }).sorted(by: { $0.due < $1.due }) {
      clicks.removeAll { $0.number == click.number }
      release(click.button, of: click.entry, by: .click(click.number))
    }
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
    // Inputs of one device keep their order also where their stamps are equal.
    let inputs = pending.enumerated().sorted { ($0.element.stamp, $0.offset) < ($1.element.stamp, $1.offset) }
    pending = []
    for (_, (stamp, input)) in inputs { controls.advance(to: min(stamp, now), applying: input) }
  }
}
