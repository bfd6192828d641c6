import StepperCore
import StepperLinux
import Testing

@Suite struct EffectPatternTests {
  private let effects = FeedbackEffect.allCases.filter { $0 != .none }

  @Test func `every effect is something on every kind, and none is nothing`() {
    #expect(EffectPattern(.none) == nil)
    for effect in effects {
      for kind in OutputKind.allCases {
        let pulses = EffectPattern(effect)?.pulses(on: kind) ?? []
        #expect(!pulses.isEmpty, "\(effect) on \(kind)")
        #expect(pulses.allSatisfy { $0.on > .zero && $0.off >= .zero }, "\(effect) on \(kind)")
        #expect(EffectPattern(effect)?.length(on: kind) ?? .seconds(9) < .milliseconds(600))
      }
    }
  }

  @Test func `strengths are fractions and ranks differ`() throws {
    let patterns = effects.compactMap { EffectPattern($0) }
    #expect(Set(patterns.map(\.rank)).count == effects.count)
    for pattern in patterns {
      #expect((0...1).contains(pattern.strong) && (0...1).contains(pattern.weak) && pattern.strength > 0)
      // pcspkr plays nothing outside of this.
      #expect((21..<32767).contains(pattern.tone))
    }
  }

  @Test func `what the names promise`() throws {
    func force(_ effect: FeedbackEffect) throws -> EffectPattern { try #require(EffectPattern(effect)) }
    func length(_ effect: FeedbackEffect) throws -> Duration { try force(effect).length(on: .rumble) }
    #expect(try length(.light) == .milliseconds(12))
    for other in effects where other != .selection { #expect(try length(.selection) < length(other)) }
    #expect(try length(.soft) > length(.heavy) && force(.soft).strength < force(.light).strength)
    #expect(try length(.rigid) < length(.light) && force(.rigid).strength == 1)
    #expect(try length(.light) < length(.medium) && length(.medium) < length(.heavy))
    #expect(try [.success, .warning, .error].map { try force($0).force.count } == [2, 2, 3])
    #expect(try force(.warning).force[0].on > force(.success).force[0].on)
  }

  @Test func `names are what a user writes, in the order of falling back`() {
    #expect(
      OutputKind.allCases.map(\.rawValue) == [
        "rumble", "periodic", "constant", "haptic", "provider", "vibrator", "click", "tone", "bell",
        "pulse-led", "led",
        "class-led",
      ])
  }
}
