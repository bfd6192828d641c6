/// How fast a knob is being turned, smoothed.
struct Speedometer: Hashable, Sendable {
  private var last: Instant?
  private var direction: Int64 = 0
  private var speed = 0.0

  /// After a rest of this length the speed is measured from 0 again.
  static let idleTime = Duration.milliseconds(200)
  /// The weight of the newest detent.
  private static let smoothing = 0.5

  /// Detents per second after `detents` more at `now`; 0 for the first after a pause or a reversal.
  mutating func measure(_ detents: Int64, at now: Instant) -> Double {
    defer { (last, direction) = (now, detents.signum()) }
    guard let last, direction == detents.signum(), now - last < Self.idleTime else {
      speed = 0
      return 0
    }
    // Below a millisecond the differences of time stamps are those of the bus, not of the hand.
    let seconds = Double(max((now - last).nanoseconds, 1_000_000)) / 1e9
    let instantaneous = Double(detents.magnitude) / seconds
    speed = speed == 0 ? instantaneous : speed + (instantaneous - speed) * Self.smoothing
    return speed
  }
}
