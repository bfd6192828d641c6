import StepperCore

/// A button that was pressed.
struct ButtonFinding: Hashable, Sendable {
  var input: WatchedInput
  var presses: Int
  /// Whether the device sends autorepeat, which the engine passes over.
  var autorepeats: Bool
  /// Presses that follow a release too soon for a finger.
  var bounces: Int
  /// Whether it is the key of a knob, which sends a press and a release at once for each detent.
  var isKnob: Bool
  /// Whether some press was shorter than a finger's.
  var isInstant: Bool
  var isDown: Bool
  /// Whether another button was pressed as well.
  var hasRival: Bool
}

extension Observation {
  /// The button that was pressed most, and of several the one that was pressed first; nil: none was pressed. Buttons of
  /// `device` come first.
  func button(preferring device: String? = nil) -> ButtonFinding? {
    let presses = traces.compactMap { input, trace in ButtonPresses(input, trace) }
    let preferred = presses.filter { $0.input.device == device }
    let candidates = preferred.isEmpty ? presses : preferred
    let best = candidates.min { left, right in
      (-left.count, left.first, left.input) < (-right.count, right.first, right.input)
    }
    guard let best else { return nil }
    return ButtonFinding(
      input: best.input, presses: best.count, autorepeats: best.autorepeats, bounces: best.bounces,
      isKnob: best.instantTaps >= Threshold.knobTaps, isInstant: best.instantTaps > 0, isDown: best.isDown,
      hasRival: candidates.count > 1)
  }
}

/// The presses of one key.
private struct ButtonPresses {
  let input: WatchedInput
  private(set) var count = 0
  private(set) var first = Instant.distantFuture
  private(set) var autorepeats = false
  private(set) var bounces = 0
  private(set) var instantTaps = 0
  private(set) var isDown = false

  init?(_ input: WatchedInput, _ trace: Trace) {
    guard input.usage.isKey else { return nil }
    self.input = input
    var pressed: Instant?
    var released: Instant?
    for sample in trace.samples {
      isDown = sample.value != 0
      switch sample.value {
      case 0:
        if let pressed, sample.time - pressed <= Threshold.instantTap { instantTaps += 1 }
        (pressed, released) = (nil, sample.time)
      case 1:
        // The taps of a knob that is turned fast follow each other as fast.
        if let released, sample.time - released <= Threshold.buttonBounce { bounces += 1 }
        if count == 0 { first = sample.time }
        count += 1
        pressed = sample.time
      default: autorepeats = true
      }
    }
    guard count > 0 else { return nil }
  }
}
