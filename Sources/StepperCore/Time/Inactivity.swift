/// The time since inputs were last touched; it does not run while a button is held.
///
/// The time of a touch is that of the next ``update(after:isNeeded:at:)``, which must follow at the same instant.
struct Inactivity: Hashable, Sendable {
  /// Buttons that are held.
  private var held: [InputSource] = []
  private var lastTouch: Instant
  private var isTouched = false
  /// Whether ``deadline`` was reached since the last touch.
  private(set) var isIdle: Bool
  /// When the time is over; nil: a button is held, no time is set, or the time is over already.
  private(set) var deadline: Instant?

  init(isIdle: Bool, at now: Instant) {
    self.isIdle = isIdle
    lastTouch = now
  }

  // MARK: Touches

  mutating func touch() { (isTouched, isIdle) = (true, false) }

  mutating func press(_ source: InputSource) {
    if !held.contains(source) { held.append(source) }
    touch()
  }

  /// Does nothing unless ``press(_:)`` was called for this input.
  mutating func release(_ source: InputSource) {
    guard let index = held.firstIndex(of: source) else { return }
    held.remove(at: index)
    touch()
  }

  /// Releases buttons that cannot be held any more.
  mutating func release(where isGone: (InputSource) -> Bool) {
    guard held.contains(where: isGone) else { return }
    held.removeAll(where: isGone)
    touch()
  }

  // MARK: Time

  /// Renews ``deadline``: `duration` after the last touch, but not before `now`; nil: no time is set. While idle,
  /// there is a deadline only if it `isNeeded`.
  mutating func update(after duration: Duration?, isNeeded: @autoclosure () -> Bool = false, at now: Instant)
  {
    if isTouched { (lastTouch, isTouched) = (now, false) }
    guard let duration, held.isEmpty, !isIdle || isNeeded() else {
      deadline = nil
      return
    }
    deadline = max(lastTouch + duration, now)
  }

  /// Notes that ``deadline`` was reached.
  mutating func fire() { (isIdle, deadline) = (true, nil) }

  /// Excludes `duration` from the time.
  mutating func skip(_ duration: Duration) {
    lastTouch = lastTouch + duration
    deadline = deadline.map { $0 + duration }
  }
}
