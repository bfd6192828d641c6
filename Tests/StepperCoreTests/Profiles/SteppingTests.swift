import StepperCore
import Testing

/// Steps from values that the range does not hold, which follow from the rules.
@Suite struct SteppingTests {
  /// Every value of 10…−10 is 10, whichever way it is stepped: mirrored, the ends of this range look the same.
  @Test(arguments: ["gtk", "appkit", "appkit/gnustep"])
  func `an inverted range is one value in both directions`(_ profile: String) throws {
    for direction: Int64 in [1, -1, 5, -5] {
      var bench = try Bench("profile=\(profile) minimum=-20 maximum=20 initial=0")
      bench.adjust(minimum: 10, maximum: -10)
      #expect(bench.value == 10)
      bench.step(direction)
      try bench.turn(direction > 0 ? 1 : -1)
      #expect(bench.value == 10)
    }
  }

  /// GtkSpinButton wraps from the limit itself; beyond it, a step leads to the limit first.
  @Test(
    arguments: [
      (90, 0, 50, 1, 1, 50), (90, 0, 50, 1, 2, 0), (90, 0, 50, 1, -1, 50), (90, 0, 50, 1, -2, 49),
      (10, 50, 100, 1, 1, 50), (10, 50, 100, 1, 3, 52), (10, 50, 100, 1, -1, 50), (10, 50, 100, 1, -2, 100),
      // The step may lead into the range, or past it.
      (45, 50, 100, 10, 1, 55), (45, 50, 54, 10, 1, 54), (90, 0, 80, 20, -1, 70),
    ] as [(Int64, Int64, Int64, Int64, Int64, Int64)])
  func `from beyond an end GTK's step wraps no sooner than from the end`(
    _ value: Int64, _ lower: Int64, _ upper: Int64, _ step: Int64, _ count: Int64, _ result: Int64
  ) throws {
    var bench = try Bench("profile=gtk wraps initial=\(value) step=\(step)")
    bench.adjust(minimum: FixedPoint(units: lower, digits: 0))
    bench.adjust(maximum: FixedPoint(units: upper, digits: 0))
    #expect(bench.value == FixedPoint(units: value, digits: 0))
    bench.step(count)
    #expect(bench.value == FixedPoint(units: result, digits: 0))
  }

  /// What many steps at once do is what they do one after the other.
  @Test(
    arguments: [
      "profile=uikit", "profile=uikit wraps", "profile=gtk wraps", "profile=gtk wraps partial-step=refuse",
      "profile=uikit wraps partial-step=refuse", "profile=material/wear wraps", "profile=appkit/gnustep",
      "profile=uikit wraps range-change=never", "profile=winui wraps bounds=advisory initial=0",
      "profile=winui wraps bounds=advisory wrap-when=at-limit initial=0", "profile=rpvertical",
    ], [1, 3, 4, 7])
  func `steps at once are steps in turn`(_ options: String, step: Int64) throws {
    let bench = try Bench("\(options) minimum=-40 maximum=40 step=\(step)")
    for value: Int64 in [-9, -1, 0, 2, 5, 10, 11, 30] {
      for count: Int64 in [-25, -6, -2, 2, 3, 9, 40] {
        var atOnce = bench
        atOnce.set(FixedPoint(units: value, digits: 0))
        atOnce.adjust(minimum: 0)
        atOnce.adjust(maximum: 10)
        var inTurn = atOnce
        atOnce.step(count)
        for _ in 0..<count.magnitude { inTurn.step(count.signum()) }
        #expect(atOnce.value == inTurn.value, "\(count) from \(value)")
      }
    }
  }
}

/// What an adjustment makes of numbers.
@Suite struct AdjustmentTests {
  @Test func `what is told of a range is what holds`() throws {
    var bench = try Bench("profile=uikit")
    bench.adjust(minimum: FixedPoint("0.4"), maximum: FixedPoint("10.5"), step: FixedPoint("1.5"))
    #expect(bench.minimum == 0 && bench.maximum == 11 && bench.settings.stepValue == 2)
    bench.step(1)
    #expect(bench.value == 2)
    // Less than the last decimal place is no step.
    let isAdjusted = bench.adjust(step: FixedPoint("0.9"))
    #expect(!isAdjusted && bench.settings.stepValue == 2)
    // The bounds that conflict are the rounded ones.
    bench = try Bench("profile=uikit range-conflict=refuse")
    let isEqual = bench.adjust(minimum: FixedPoint("7.4"), maximum: FixedPoint("6.6"))
    #expect(isEqual && bench.minimum == 7 && bench.maximum == 7)
  }

  @Test func `no bound is too large`() throws {
    var bench = try Bench("profile=gtk precision=9")
    let largest = FixedPoint(units: .max, digits: 0)
    bench.adjust(minimum: FixedPoint(units: -.max, digits: 0), maximum: largest, step: largest)
    for _ in 0..<3 { bench.step(1) }
    #expect(bench.value == bench.maximum && !bench.state.canIncrement)
    for _ in 0..<3 { bench.step(-1) }
    #expect(bench.value == bench.minimum && !bench.state.canDecrement)
  }
}
