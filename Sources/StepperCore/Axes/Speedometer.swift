/// How fast a knob is being turned, smoothed.
struct Speedometer: Hashable, Sendable {
  private var last: Instant?
  private var direction: Int64 = 0
  private var speed = 0.0

  /// After a rest of this length the speed is measured from 0 again; in nanoseconds.
  private static let idleTime: Int64 = 200_000_000
  /// The weight of the newest detent.
  private static let smoothing = 0.5

  /// Detents per second after `detents` more at `now`; 0 for the first after a pause or a reversal.
  mutating func measure(_ detents: Int64, at now: Instant) -> Double {
    defer { (last, direction) = (now, detents.signum()) }
    let rest = last.map(now.nanoseconds(since:)) ?? .max
    guard direction == detents.signum(), rest < Self.idleTime else {
      speed = 0
      return 0
    }
    // Below a millisecond the differences of time stamps are those of the bus, not of the hand.
    let seconds = Double(max(rest, 1_000_000)) / 1e9
    let instantaneous = Double(detents.magnitude) / seconds
    speed = speed == 0 ? instantaneous : speed + (instantaneous - speed) * Self.smoothing
    return speed
  }
}
