package import StepperCore

/// The result of ``EvdevDevice/nextFrame(now:)``.
package enum EvdevReading: Hashable, Sendable {
  case frame(EvdevFrame)
  case resynchronized(Resynchronization)
}

/// The state of a device after events were lost.
package struct Resynchronization: Hashable, Sendable {
  /// The time of the resynchronization.
  package var time: Instant
  /// The differences from the last known state of keys and absolute axes. Lost relative motion is not recovered.
  package var events: EvdevEvents
  /// All keys that are down; for other keys, the release was a lost event.
  package var keysDown: Set<EvdevUsage>

  package init(time: Instant, events: EvdevEvents, keysDown: Set<EvdevUsage>) {
    self.time = time
    self.events = events
    self.keysDown = keysDown
  }
}

/// The result of ``EvdevDevice/grab(now:)``.
package enum GrabOutcome: Hashable, Sendable {
  /// The device is grabbed. Unread events, which other programs also received, were discarded; this is the state
  /// after them.
  case grabbed(Resynchronization)
  /// A key is down, and other programs would miss its release. Try again when ``EvdevDevice/isGrabDue``. The state is
  /// present if events were discarded to determine it.
  case waitingForKeys(Resynchronization?)
}
