/// A turn of a knob or a slide of a fader: a gesture that ends after a rest.
struct Motion: Hashable, Sendable {
  /// The length of the rest after which the gesture ends.
  private static let idleTime = Duration.milliseconds(300)

  /// When the gesture ends; nil: none is in progress.
  private(set) var deadline: Instant?
  /// Whether an input of a device takes part in it.
  private(set) var isOfDevice = false

  mutating func move(by owner: InputOwner, at now: Instant) {
    isOfDevice = !owner.isClient || isOfDevice
    deadline = now + Self.idleTime
  }

  mutating func end() { (deadline, isOfDevice) = (nil, false) }

  mutating func skip(_ duration: Duration) { deadline = deadline.map { $0 + duration } }
}
