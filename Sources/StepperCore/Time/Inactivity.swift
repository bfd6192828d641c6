/// How long inputs were not touched: the time since the last touch, in which no button was held.
///
/// A touch gets its time from the next ``update(after:isNeeded:at:)``, which must follow at the same instant.
struct Inactivity: Hashable, Sendable {
  /// Buttons that are held.
  private var held: [InputSource] = []
  private var lastTouch: Instant
  private var isTouched = false
  /// Whether ``deadline`` was reached since the last touch.
  private(set) var isIdle: Bool
  /// When the time is over; nil: a button is held, there is no time, or it is over.
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

  /// Nothing happens unless ``press(_:)`` was called for it.
  mutating func release(_ source: InputSource) {
    guard let index = held.firstIndex(of: source) else { return }
    held.remove(at: index)
    touch()
  }

  /// Buttons that cannot be held any more.
  mutating func release(where isGone: (InputSource) -> Bool) {
    guard held.contains(where: isGone) else { return }
    held.removeAll(where: isGone)
    touch()
  }

  // MARK: Time

  /// Renews ``deadline``. A time that is over already is over at `now`. `duration` nil: there is no time. While it is
  /// idle, the time counts only if it `isNeeded`.
  mutating func update(after duration: Duration?, isNeeded: @autoclosure () -> Bool = false, at now: Instant)
  {
    if isTouched { (lastTouch, isTouched) = (now, false) }
    guard let duration, held.isEmpty, !isIdle || isNeeded() else {
      deadline = nil
      return
    }
    deadline = max(lastTouch + duration, now)
  }

  /// ``deadline`` is reached.
  mutating func fire() { (isIdle, deadline) = (true, nil) }

  /// This time does not count.
  mutating func skip(_ duration: Duration) {
    lastTouch = lastTouch + duration
    deadline = deadline.map { $0 + duration }
  }
}
