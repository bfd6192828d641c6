import StepperCore
import Testing

@testable import StepperDaemon

/// A knob that makes its own detents, in virtual time.
@MainActor @Suite struct DetentKnobTests {
  private static func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }

  private static func detents(_ position: Int64, of maximum: Int64 = 10, wraps: Bool = false) -> AxisDetents {
    AxisDetents(position: position, minimum: 0, maximum: maximum, wraps: wraps)
  }

  private static func knob(_ countsPerDetent: Int64 = 1) -> DetentKnob {
    DetentKnob(output: "motor", usage: .dial, axis: "REL_DIAL", countsPerDetent: countsPerDetent)
  }

  @Test func `it is told once, and not what it has turned itself`() {
    var knob = Self.knob(4)
    #expect(knob.decide(nil, at: Self.at(0)) == .nothing)
    #expect(knob.decide(Self.detents(3), at: Self.at(0)) == .order)
    #expect(knob.decide(Self.detents(3), at: Self.at(1)) == .nothing)
    knob.noteMotion(by: 8, at: Self.at(10))
    #expect(knob.decide(Self.detents(5), at: Self.at(10)) == .nothing)
    #expect(knob.decide(Self.detents(5), at: Self.at(5_000)) == .nothing)
    #expect(knob.ordered == Self.detents(3) && knob.present == Self.detents(5))
  }

  @Test func `another client is told when it has rested`() {
    var knob = Self.knob()
    _ = knob.decide(Self.detents(3), at: Self.at(0))
    knob.noteMotion(by: 1, at: Self.at(100))
    #expect(knob.decide(Self.detents(9), at: Self.at(150)) == .wait(Self.at(400)))
    knob.noteMotion(by: 1, at: Self.at(200))
    #expect(knob.decide(Self.detents(10), at: Self.at(400)) == .wait(Self.at(500)))
    #expect(knob.decide(Self.detents(10), at: Self.at(500)) == .order)
    #expect(knob.ordered == Self.detents(10))
  }

  /// With acceleration a detent is several steps; the knob is where it turned to until it rests.
  @Test func `a turn that made more steps than detents is told when it has rested`() {
    var knob = Self.knob()
    _ = knob.decide(Self.detents(0), at: Self.at(0))
    knob.noteMotion(by: 2, at: Self.at(100))
    #expect(knob.decide(Self.detents(6), at: Self.at(100)) == .wait(Self.at(400)))
    #expect(knob.decide(Self.detents(6), at: Self.at(400)) == .order)
  }

  @Test func `an end stops it, and a range that wraps does not`() {
    var knob = Self.knob()
    _ = knob.decide(Self.detents(9), at: Self.at(0))
    knob.noteMotion(by: 5, at: Self.at(1_000))
    #expect(knob.decide(Self.detents(10), at: Self.at(1_000)) == .nothing)
    _ = knob.decide(Self.detents(9, wraps: true), at: Self.at(2_000))
    knob.noteMotion(by: 3, at: Self.at(3_000))
    #expect(knob.decide(Self.detents(1, wraps: true), at: Self.at(3_000)) == .nothing)
  }

  @Test func `another range is told, and all of it after a loss`() {
    var knob = Self.knob()
    _ = knob.decide(Self.detents(3), at: Self.at(0))
    #expect(knob.decide(Self.detents(3, of: 20), at: Self.at(1)) == .order)
    knob.forget()
    #expect(knob.decide(Self.detents(3, of: 20), at: Self.at(2)) == .order)
  }
}
