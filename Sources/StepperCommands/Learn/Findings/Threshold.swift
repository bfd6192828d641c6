/// The numbers that distinguish kinds of movement, with their reasons.
enum Threshold {
  // A turn
  /// The number of clicks that the question asks for.
  static let clicks: Int64 = 10
  /// The minimum number of frames in one direction; fewer count as an accidental touch.
  static let turnFrames = 3
  /// The minimum part of all counts that must remain after opposite directions cancel out. A third remains if each
  /// click bounces once.
  static let consistency = 0.3
  /// Counts that are further apart belong to different clicks. A slow turn takes more than 100 ms per click, and the
  /// counts of one click arrive within about 30 ms.
  static let clickGap = Duration.milliseconds(40)
  /// The number of groups of counts that are compared: five suffice to find a rule, and more than 15 cannot be ten
  /// clicks.
  static let clickGroups = 5...15
  /// The minimum part of the groups that must have the same count.
  static let groupShare = 0.7
  /// The tolerance for the counts of ten clicks, which may be those of nine or eleven clicks and half a click more.
  static let countTolerance = 0.15
  /// The counts per detent of existing devices: full, half and quarter steps, and wheels with finer steps.
  static let sensibleCounts: [Int64] = [1, 2, 3, 4, 8, 12, 16, 20, 24, 30, 40, 48, 60, 80, 96, 100, 120]
  /// A count and its opposite within this time are a bounce of the contacts: encoders bounce for 0.4 to 2 ms, and a
  /// hand takes longer to reverse.
  static let encoderBounce = Duration.milliseconds(5)
  /// If a second axis moved at least this part of the first one, it is unclear which axis is meant.
  static let rivalPart = 0.5

  // A button
  /// A press of at most this time does not come from a finger, which needs 40 ms. Knobs that send keys send press and
  /// release at once.
  static let instantTap = Duration.milliseconds(30)
  /// The minimum number of such taps that shows a knob that sends keys.
  static let knobTaps = 3
  /// A press this soon after a release is a bounce. libinput debounces with 25 ms; a hand needs 80 ms.
  static let buttonBounce = Duration.milliseconds(25)

  // A fader
  /// The minimum part of the driver's travel that a moved fader covers. An accelerometer or a noisy fader covers less.
  static let faderPart = 0.2
  /// The minimum number of movements from one outer quarter to the other: once there and back.
  static let sweeps = 2
  /// A fader rests if it stays within this part of its travel.
  static let restPart = 0.05
  /// The calibrated ends lie this part of the travel further inside, so that the fader always reaches them.
  static let marginPart = 0.01
  /// This part of the samples at either end counts as spikes.
  static let spikePart = 0.005
  /// A stick that has returned to its middle is at most this part of the travel away from it.
  static let middlePart = 0.1
}
