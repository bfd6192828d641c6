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

/// What came of ``EvdevDevice/grab(now:)``.
package enum GrabOutcome: Hashable, Sendable {
  /// Ours alone from now on. What waited to be read had also gone to everybody else and was thrown away;
  /// this is the state it left.
  case grabbed(Resynchronization)
  /// A key is down, and the release of it would be lost to everybody else.
  /// Try again when ``EvdevDevice/isGrabDue`` says so. The state is given if events were thrown away to learn
  /// it.
  case waitingForKeys(Resynchronization?)
}

/// The range of an absolute axis, in counts.
///
/// The corresponding C type is `struct input_absinfo`.
package struct AbsoluteAxis: Hashable, Sendable {
  package var minimum: Int32
  package var maximum: Int32
  /// Where it stands now.
  package var value: Int32
  /// Changes smaller than this are noise, which the kernel filters out already.
  package var fuzz: Int32
  /// Values this close to the centre mean the centre.
  package var flat: Int32
  /// Counts per millimetre, or per radian; 0: unknown.
  package var resolution: Int32

  package init(
    minimum: Int32, maximum: Int32, value: Int32 = 0, fuzz: Int32 = 0, flat: Int32 = 0, resolution: Int32 = 0
  ) {
    self.minimum = minimum
    self.maximum = maximum
    self.value = value
    self.fuzz = fuzz
    self.flat = flat
    self.resolution = resolution
  }
}
