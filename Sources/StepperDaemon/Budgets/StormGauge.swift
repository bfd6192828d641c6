import StepperCore

/// Detects a device that sends more than a stepper can, and determines when it is read again.
///
/// The fastest mice and faders send 1,000 to 2,000 frames per second, hands a tenth of that. A device has credit for
/// one second at the maximum rate, and regains it over time. A device without credit is read with pauses until half of
/// the credit is regained. A storm therefore costs no more than the maximum rate, and repeated bursts are one storm.
/// This is a value without a clock: the caller passes the time.
struct StormGauge: Hashable {
  static let framesPerSecond: Int64 = 4_000
  /// A frame consists of a few events and its end; a frame of more events counts as several.
  static let eventsPerFrame: Int64 = 4
  static let pause = Duration.milliseconds(50)

  private static let fullCredit = Duration.seconds(1)
  /// In nanoseconds.
  private static let eventCost = 1_000_000_000 / (framesPerSecond * eventsPerFrame)

  private var credit = fullCredit
  private var updated: Instant?
  private(set) var storm: Storm?

  /// The state of a storm.
  struct Storm: Hashable {
    let began: Instant
    fileprivate(set) var isPaused = false
    /// The end of the pause, or the next check for the end of the storm.
    fileprivate var due: Instant
    /// The number of frames read.
    fileprivate(set) var frames: Int64
    fileprivate(set) var pauses: Int64 = 0
  }

  /// What the caller must do.
  enum Action: Hashable {
    /// Stop reading the device until ``deadline``. `isNew`: a storm has begun.
    case pause(isNew: Bool)
    case resume
    /// Report the end of the storm.
    case ended(Storm)
  }

  var isPaused: Bool { storm?.isPaused ?? false }

  /// The time of the next ``advance(to:)``; nil without a storm.
  var deadline: Instant? { storm?.due }

  /// Records that `frames` frames with `events` events, ends of frames included, were read at `now`. Frames that arrive
  /// during a pause, from a program that cannot be paused, are lost and cost nothing.
  mutating func note(frames: Int64, events: Int64, at now: Instant) -> Action? {
    guard !isPaused else { return nil }
    earn(until: now)
    credit -= .nanoseconds(max(frames * Self.eventsPerFrame, events).multipliedSaturating(by: Self.eventCost))
    storm?.frames += frames
    guard credit < .zero else { return nil }
    let isNew = storm == nil
    if isNew { storm = Storm(began: now, due: now, frames: frames) }
    storm?.isPaused = true
    storm?.pauses += 1
    // The pause lasts at least until the negative credit is regained.
    storm?.due = now + max(Self.pause, .zero - credit)
    return .pause(isNew: isNew)
  }

  /// The action that is due at `now`; nil if none is.
  mutating func advance(to now: Instant) -> Action? {
    guard let storm, storm.due <= now else { return nil }
    earn(until: now)
    self.storm?.isPaused = false
    self.storm?.due = now + .seconds(1)
    if storm.isPaused { return .resume }
    guard credit >= Self.fullCredit / 2 else { return nil }
    self.storm = nil
    return .ended(storm)
  }

  private mutating func earn(until now: Instant) {
    credit = min(credit + max(now - (updated ?? now), .zero), Self.fullCredit)
    updated = now
  }
}
