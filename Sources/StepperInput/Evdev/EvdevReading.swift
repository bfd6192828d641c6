package import StepperCore

/// What ``EvdevDevice/nextFrame(now:)`` found.
package enum EvdevReading: Hashable, Sendable {
  case frame(EvdevFrame)
  case resynchronized(Resynchronization)
}

/// How a device stands after events were lost: whatever happened in between is not known.
package struct Resynchronization: Hashable, Sendable {
  /// When the state was read back.
  package var time: Instant
  /// What differs from the last known state: keys and absolute axes. Relative motion that was lost stays
  /// lost.
  package var events: [EvdevEvent]
  /// Every key that is really down now; a hold of any other key ended while nobody looked.
  package var keysDown: Set<EvdevUsage>

  package init(time: Instant, events: [EvdevEvent], keysDown: Set<EvdevUsage>) {
    self.time = time
    self.events = events
    self.keysDown = keysDown
  }
}

/// The result of ``EvdevDevice/grab(now:)``.
package enum GrabOutcome: Hashable, Sendable {
  /// Ours alone from now on. What waited to be read had also gone to everybody else and was thrown away;
  /// this is the state it left.
  case grabbed(Resynchronization)
  /// A key is down, and the release of it would be lost to everybody else.
  /// Try again when ``EvdevDevice/isGrabDue`` says so. The state is given if events were thrown away to learn
  /// it.
  case waitingForKeys(Resynchronization?)
}
