/// The numbers that distinguish kinds of movement, with their reasons.
enum Threshold {
  // A turn
  /// The number of clicks that the question asks for.
  static let clicks: Int64 = 10
  /// The minimum number of frames in one direction; fewer are an accidental touch.
  static let turnFrames = 3
  /// The minimum part of all counts that remains when opposite directions cancel: a third if each click bounces once.
  static let consistency = 0.3
  /// Counts further apart belong to different clicks. A slow turn has more than 100 ms for a click, whose counts
  /// come within about 30 ms.
  static let clickGap = Duration.milliseconds(40)
  /// The number of groups that are compared: five are enough for a rule, and more than 15 are not ten clicks.
  static let clickGroups = 5...15
  /// The part of the groups that have the same count.
  static let groupShare = 0.7
  /// The counts for ten clicks may be those of nine or eleven, and half a click more.
  static let countTolerance = 0.15
  /// Counts for a detent that devices have: full, half and quarter steps, and wheels with finer ones.
  static let sensibleCounts: [Int64] = [1, 2, 3, 4, 8, 12, 16, 20, 24, 30, 40, 48, 60, 80, 96, 100, 120]
  /// A count and its opposite within this time are the contacts: encoders bounce for 0.4 to 2 ms, a hand takes longer.
  static let encoderBounce = Duration.milliseconds(5)
  /// A second axis of the same device that moved this part of the first one makes it unclear which is meant.
  static let rivalPart = 0.5

  // A button
  /// A press of at most this time is made by a program: knobs that are keys send press and release at once, and a
  /// finger needs 40 ms.
  static let instantTap = Duration.milliseconds(30)
  /// The minimum number of such taps of a knob that sends keys.
  static let knobTaps = 3
  /// A press this soon after the release bounces; libinput's debouncing uses 25 ms, a hand 80 ms.
  static let buttonBounce = Duration.milliseconds(25)

  // A fader
  /// The part of the driver's travel that a fader moves at least; an accelerometer and a noisy fader move less.
  static let faderPart = 0.2
  /// Crossings from one outer quarter to the other: once there and back.
  static let sweeps = 2
  /// A fader that stays within this part of its travel rests.
  static let restPart = 0.05
  /// The ends are taken this part of the travel further in, so that each is reached.
  static let marginPart = 0.01
  /// This part of the samples at either end is spikes.
  static let spikePart = 0.005
  /// A stick that has returned to its middle is at most this part of the travel away from it.
  static let middlePart = 0.1
}
