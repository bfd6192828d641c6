import StepperCore

/// Whether a device sends more than a stepper can, and when it is read again.
///
/// The fastest mice and faders send 1,000 to 2,000 frames a second, hands a tenth of that. A device has credit for one
/// second at the highest rate, and gains it as time goes on. One that has used it up is not read for a moment, again and
/// again, until half of the credit is back. So a storm costs no more than the highest rate, and one that comes in
/// bursts is one storm. A value without a clock.
struct StormGauge: Hashable {
  static let framesPerSecond: Int64 = 4_000
  /// A frame is an event or a few and its end; one of more events counts as several frames.
  static let eventsPerFrame: Int64 = 4
  static let pause = Duration.milliseconds(50)

  private static let fullCredit = Duration.seconds(1)
  private static let eventCost = Duration.nanoseconds(1_000_000_000 / (framesPerSecond * eventsPerFrame))

  private var credit = fullCredit
  private var updated: Instant?
  private(set) var storm: Storm?

  /// What is known of a storm.
  struct Storm: Hashable {
    let began: Instant
    fileprivate(set) var isPaused = false
    /// When the device is read again, or it is looked whether the storm is over.
    fileprivate var due: Instant
    /// That were read.
    fileprivate(set) var frames: Int64
    fileprivate(set) var pauses: Int64 = 0
  }

  /// What to do now.
  enum Order: Hashable {
    /// Do not read the device before ``deadline``. `isNew`: a storm has begun with this.
    case pause(isNew: Bool)
    case resume
    /// Nothing more than to say that the storm is over.
    case ended(Storm)
  }

  var isPaused: Bool { storm?.isPaused ?? false }

  /// When to call ``advance(to:)``; nil while there is no storm.
  var deadline: Instant? { storm?.due }

  /// So many frames of so many events, the end of each included, were read at `now`.
  mutating func note(frames: Int64, events: Int64, at now: Instant) -> Order? {
    earn(until: now)
    credit -= Self.eventCost * max(frames * Self.eventsPerFrame, events)
    storm?.frames += frames
    guard credit < .zero, !isPaused else { return nil }
    let isNew = storm == nil
    if isNew { storm = Storm(began: now, due: now, frames: frames) }
    storm?.isPaused = true
    storm?.pauses += 1
    // At least until what was too much is paid for.
    storm?.due = now + max(Self.pause, .zero - credit)
    return .pause(isNew: isNew)
  }

  /// What comes of the time alone.
  mutating func advance(to now: Instant) -> Order? {
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
