internal import StepperCore

/// A fader that was told where to go and reports its positions on the way. Movements by the motor do not count as those of a hand.
///
/// A hand is recognized by what a motor never does: it moves away from the target, is still moving after a second, or leaves the fader
/// elsewhere by then. A hand that takes the fader earlier and moves it the same way cannot be distinguished from the motor. Faders with
/// touch solve this.
struct MotorTravel: Hashable {
  private let target: Int
  /// The last position reported on the way.
  private var position: Int?
  let end: Instant
  /// The last remaining distance.
  private var distance: Int

  private static let longest = Duration.seconds(1)
  /// A motor overshoots its target: the longer its way, the more.
  private let tolerance: Int

  /// `former` is the travel that this one replaces: a motor does not reverse at once.
  init(from position: Int?, after former: Self?, to target: Int, isFine: Bool, at now: Instant) {
    (self.target, end) = (target, now + Self.longest)
    let away = former.map { abs($0.target - target) + min($0.distance, 1 << 14) } ?? 0
    distance = position.map { max(abs($0 - target), away) } ?? .max
    tolerance = max(isFine ? 512 : 4, min(distance, 1 << 14) / 4)
  }

  /// Whether the motor can have moved the fader to `position`.
  mutating func explains(_ position: Int, at now: Instant) -> Bool {
    let left = abs(position - target)
    guard now < end, left <= max(distance, tolerance) else { return false }
    distance = min(distance, left)
    self.position = position
    return true
  }

  /// The fader's last position, if it is not where the motor should have moved it, so that a hand is on it. `travel` is the fader's whole
  /// way.
  func leftover(of travel: Int) -> Int? { position.flatMap { abs($0 - target) * 64 > travel ? $0 : nil } }
}
