internal import StepperCore

/// The course of one effect on one output, in time: a value without I/O.
///
/// What could not be begun before its end, because nobody called ``advance(to:)``, is left out: a late buzz is
/// worse than none.
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
  /// Until then only a stronger effect may begin.
  let quietUntil: Instant
  /// The output ends each pulse by itself, so nobody has to wake up for it.
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

  /// When ``advance(to:)`` has something to do; nil when all is done.
  var deadline: Instant? { sections.first.map { isOn ? $0.end : $0.begin } }

  /// Whether another effect may begin.
  func admits(_ other: EffectPattern, at now: Instant) -> Bool {
    other.rank > pattern.rank || now >= quietUntil
  }

  /// What is due, in its order.
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
