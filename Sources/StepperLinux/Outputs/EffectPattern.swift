package import StepperCore

/// The pattern of an effect for each kind of output. All numbers are in the table below.
package struct EffectPattern: Hashable, Sendable {
  /// A time during which the output is on, and the pause after it.
  package struct Pulse: Hashable, Sendable {
    package var on: Duration
    package var off: Duration
  }

  package private(set) var effect = FeedbackEffect.none
  /// On a busy output, an effect with a higher rank replaces one with a lower rank.
  package var rank: Int
  /// The strength of the large, slow motor, 0…1.
  package var strong: Double
  /// The strength of the small, fast motor, 0…1.
  package var weak: Double
  /// The frequency in Hertz.
  package var tone: Int32
  /// Vibration: motors and haptics.
  package var force: [Pulse]
  /// Tones and bells.
  package var sound: [Pulse]
  package var clicks: [Pulse]
  /// Lights; shorter pulses are not visible.
  package var flash: [Pulse]

  /// The strength for an output with one motor.
  package var strength: Double { max(strong, weak) }

  package func pulses(on kind: OutputKind) -> [Pulse] {
    switch kind {
    case .rumble, .periodic, .constant, .haptic, .vibrator: force
    // The program plays its own pulses; they are over after this time.
    case .provider: [Pulse(on: length(on: .haptic), off: .zero)]
    case .click: clicks
    case .tone, .bell: sound
    case .pulseLED, .led, .classLED: flash
    }
  }

  /// From the start of the first pulse to the end of the last.
  package func length(on kind: OutputKind) -> Duration {
    let pulses = pulses(on: kind)
    return pulses.reduce(.zero) { $0 + $1.on + $1.off } - (pulses.last?.off ?? .zero)
  }

  /// The pause of an output after an effect, so that two effects can be distinguished.
  package static let gap = Duration.milliseconds(20)

  /// nil for ``FeedbackEffect/none``.
  package init?(_ effect: FeedbackEffect) {
    guard let pattern = Self.table[effect] else { return nil }
    self = pattern
    self.effect = effect
  }

  private init(
    rank: Int, strong: Double, weak: Double, tone: Int32, force: [(on: Int, off: Int)],
    sound: [(on: Int, off: Int)], clicks: Int, flash: [(on: Int, off: Int)]
  ) {
    self.rank = rank
    self.strong = strong
    self.weak = weak
    self.tone = tone
    self.force = force.map(Pulse.init)
    self.sound = sound.map(Pulse.init)
    self.clicks = Array(repeating: Pulse(on: 2, off: 60), count: clicks)
    self.flash = flash.map(Pulse.init)
  }

  /// Impacts are one pulse: the heavier, the longer and stronger; soft is long and weak, rigid short and strong.
  /// Success is two pulses, warning two longer ones, and error three.
  private static let table: [FeedbackEffect: EffectPattern] = [
    .selection: .init(
      rank: 0, strong: 0, weak: 0.4, tone: 2000, force: [(8, 0)], sound: [(4, 0)], clicks: 1, flash: [(40, 0)]
    ),
    .light: .init(
      rank: 1, strong: 0, weak: 0.5, tone: 1600, force: [(12, 0)], sound: [(6, 0)], clicks: 1,
      flash: [(60, 0)]),
    .soft: .init(
      rank: 2, strong: 0.25, weak: 0.3, tone: 500, force: [(45, 0)], sound: [(20, 0)], clicks: 1,
      flash: [(80, 0)]),
    .medium: .init(
      rank: 3, strong: 0.4, weak: 0.7, tone: 1200, force: [(20, 0)], sound: [(10, 0)], clicks: 1,
      flash: [(80, 0)]),
    .rigid: .init(
      rank: 4, strong: 1, weak: 1, tone: 2400, force: [(10, 0)], sound: [(8, 0)], clicks: 1, flash: [(60, 0)]),
    .heavy: .init(
      rank: 5, strong: 0.9, weak: 0.8, tone: 800, force: [(35, 0)], sound: [(20, 0)], clicks: 1,
      flash: [(120, 0)]),
    .success: .init(
      rank: 6, strong: 0.4, weak: 0.7, tone: 1500, force: [(20, 80), (30, 0)], sound: [(40, 60), (60, 0)],
      clicks: 2, flash: [(100, 100), (100, 0)]),
    .warning: .init(
      rank: 7, strong: 0.7, weak: 0.7, tone: 900, force: [(60, 100), (60, 0)], sound: [(100, 80), (100, 0)],
      clicks: 2, flash: [(200, 100), (200, 0)]),
    .error: .init(
      rank: 8, strong: 1, weak: 0.8, tone: 400, force: [(50, 70), (50, 70), (50, 0)],
      sound: [(80, 60), (80, 60), (80, 0)], clicks: 3, flash: [(100, 80), (100, 80), (100, 0)]),
  ]
}

extension EffectPattern.Pulse {
  fileprivate init(on: Int, off: Int) { self.init(on: .milliseconds(on), off: .milliseconds(off)) }
}
