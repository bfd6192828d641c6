/// How fast a knob is being turned, smoothed.
struct Speedometer: Hashable, Sendable {
  private var last: Instant?
  private var direction: Int64 = 0
  private var speed = 0.0

  /// A rest of this length, in nanoseconds, restarts the measurement from 0.
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
    // Below a millisecond, differences of time stamps come from the bus, not from the hand.
    let seconds = Double(max(rest, 1_000_000)) / 1e9
    let instantaneous = Double(detents.magnitude) / seconds
    speed = speed == 0 ? instantaneous : speed + (instantaneous - speed) * Self.smoothing
    return speed
  }
}
