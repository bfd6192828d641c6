import StepperCore

/// A button that was pressed.
struct ButtonFinding: Hashable, Sendable {
  let input: WatchedInput
  private(set) var presses = 0
  /// Presses that follow a release too soon for a finger.
  private(set) var bounces = 0
  private(set) var isDown = false
  /// Whether another button was pressed too.
  fileprivate(set) var hasRival = false
  /// The time of the first press.
  fileprivate var start = Instant.distantFuture
  /// Presses that are too short for a finger.
  private var instantTaps = 0

  /// Whether this is the key of a knob that sends a press and a release together for each detent.
  var isKnob: Bool { instantTaps >= Threshold.knobTaps }
  /// Whether a press was too short for a finger.
  var isInstant: Bool { instantTaps > 0 }

  /// Nil without a press. Autorepeat is ignored, as in the engine.
  fileprivate init?(_ input: WatchedInput, _ trace: Trace) {
    guard input.usage.isKey else { return nil }
    self.input = input
    var pressed: Instant?
    var released: Instant?
    for sample in trace.samples {
      isDown = sample.value != 0
      if sample.value == 0 {
        if let pressed, sample.time - pressed <= Threshold.instantTap { instantTaps += 1 }
        (pressed, released) = (nil, sample.time)
      } else if sample.value == 1 {
        // Such presses count too, because they may be the taps of a knob that is turned fast.
        if let released, sample.time - released <= Threshold.buttonBounce { bounces += 1 }
        if presses == 0 { start = sample.time }
        presses += 1
        pressed = sample.time
      }
    }
    guard presses > 0 else { return nil }
  }
}

extension Observation {
  /// The button that was pressed most often; of several such buttons, the one that was pressed first. nil without a
  /// press. Buttons of `device` take precedence.
  func button(preferring device: String? = nil) -> ButtonFinding? {
    let pressed = traces.compactMap { input, trace in ButtonFinding(input, trace) }
    let preferred = pressed.filter { $0.input.device == device }
    let candidates = preferred.isEmpty ? pressed : preferred
    var best = candidates.min { left, right in
      (-left.presses, left.start, left.input) < (-right.presses, right.start, right.input)
    }
    best?.hasRival = candidates.count > 1
    return best
  }
}
