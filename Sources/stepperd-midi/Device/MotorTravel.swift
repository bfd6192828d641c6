internal import StepperCore

/// A fader that was told where to go, and says where it is on its way there: what the motor does is no hand.
///
/// A hand is told by what a motor never does: it goes away from where it was told to be, is still on its way after a second, or
/// has left the fader elsewhere then. A hand that takes the fader before, and moves it on the same way, is not told from the motor:
/// for that there are faders that feel a touch.
struct MotorTravel: Hashable {
  private let target: Int
  /// Where it has said to be on its way last.
  private var position: Int?
  let end: Instant
  /// The distance that was left last.
  private var distance: Int

  private static let longest = Duration.seconds(1)
  /// A motor swings around its place, the more the longer its way was.
  private let tolerance: Int

  /// `former` is the travel that this one ends: the motor does not turn back at once.
  init(from position: Int?, after former: Self?, to target: Int, isFine: Bool, at now: Instant) {
    (self.target, end) = (target, now + Self.longest)
    let away = former.map { abs($0.target - target) + min($0.distance, 1 << 14) } ?? 0
    distance = position.map { max(abs($0 - target), away) } ?? .max
    tolerance = max(isFine ? 512 : 4, min(distance, 1 << 14) / 4)
  }

  /// Whether the motor has brought the fader to `position`.
  mutating func explains(_ position: Int, at now: Instant) -> Bool {
    let left = abs(position - target)
    guard now < end, left <= max(distance, tolerance) else { return false }
    distance = min(distance, left)
    self.position = position
    return true
  }

  /// Where the fader is at the end, if that is not where the motor has brought it: a hand is on it. `travel` is its whole way.
  func leftover(of travel: Int) -> Int? { position.flatMap { abs($0 - target) * 64 > travel ? $0 : nil } }
}
