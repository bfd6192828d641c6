/// A knob that turns or a fader that slides: a gesture that ends when it has rested.
struct Motion: Hashable, Sendable {
  /// How long it rests until the gesture has ended.
  private static let idleTime = Duration.milliseconds(300)

  /// When the gesture ends; nil: none is in progress.
  private(set) var deadline: Instant?
  /// Whether an input of a device has a part in it.
  private(set) var isOfDevice = false

  mutating func move(by owner: InputOwner, at now: Instant) {
    isOfDevice = !owner.isClient || isOfDevice
    deadline = now + Self.idleTime
  }

  mutating func end() { (deadline, isOfDevice) = (nil, false) }

  mutating func skip(_ duration: Duration) { deadline = deadline.map { $0 + duration } }
}
