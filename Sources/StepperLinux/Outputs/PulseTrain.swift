internal import StepperCore

/// The timing of the pulses of one effect on one output: a value without I/O.
///
/// If ``advance(to:)`` is called so late that a pulse would start after its end, the pulse is omitted: late feedback
/// is misleading.
struct PulseTrain {
  enum Step: Hashable {
    case begin(EffectPattern.Pulse)
    case end
  }

  private struct Section {
    var pulse: EffectPattern.Pulse
    var begin: Instant
    var end: Instant
  }

  let pattern: EffectPattern
  /// Before this instant only a stronger effect may begin.
  let quietUntil: Instant
  /// Whether the output ends each pulse automatically, without a wakeup.
  private let endsByItself: Bool
  private var sections: ArraySlice<Section>
  private var isOn = false

  init(_ pattern: EffectPattern, on kind: OutputKind, endsByItself: Bool, at start: Instant) {
    self.pattern = pattern
    quietUntil = start + pattern.length(on: kind) + EffectPattern.gap
    self.endsByItself = endsByItself
    sections = []
    var time = start
    for pulse in pattern.pulses(on: kind) {
      sections.append(Section(pulse: pulse, begin: time, end: time + pulse.on))
      time = time + pulse.on + pulse.off
    }
  }

  /// The time of the next ``advance(to:)``; nil after the last pulse.
  var deadline: Instant? { sections.first.map { isOn ? $0.end : $0.begin } }

  /// Whether another effect may begin.
  func admits(_ other: EffectPattern, at now: Instant) -> Bool {
    other.rank > pattern.rank || now >= quietUntil
  }

  /// The steps that are due, in their order.
  mutating func advance(to now: Instant) -> [Step] {
    var steps: [Step] = []
    while let section = sections.first, let deadline, deadline <= now {
      if isOn {
        steps.append(.end)
        isOn = false
      } else if section.end > now {
        steps.append(.begin(section.pulse))
        isOn = !endsByItself
        if isOn { continue }
      }
      sections.removeFirst()
    }
    return steps
  }
}
