import StepperCore
import Testing

/// RPVerticalStepper, read from its source.
@Suite struct RPVerticalStepperTests {
  @Test func `the defaults are RPVerticalStepper's`() throws {
    let row = try vector("rpverticalstepper")["defaults"]
    let bench = try Bench("profile=rpvertical")
    #expect(bench.value == row["value"].decimal && bench.settings.stepValue == row["stepValue"].decimal)
    #expect(bench.minimum == row["minimumValue"].decimal && bench.maximum == row["maximumValue"].decimal)
    #expect(bench.settings.feel.autorepeat == row["autoRepeat"].bool)
    #expect(row["autoRepeatInterval"].double == 0.5)
    #expect(bench.settings.feel.repeatSchedule.delay == .milliseconds(500))
    #expect(!bench.settings.feel.wraps)
    #expect(try VectorRow.row("rpverticalstepper", "wrap").string == "none")
  }

  @Test(arguments: try VectorRow.table("rpverticalstepper", "step"))
  func `a step that would leave the range is refused`(_ row: VectorRow) throws {
    var bench = try Bench(
      "profile=rpvertical \(try pair("initial", row["value"])) \(try pair("step", row["step"]))")
    try bench.tap(row["op"].string == "+" ? .plus : .minus)
    #expect(bench.value == row["result"].decimal)
    #expect(!bench.changes.isEmpty == row["notify"].bool)
    if let isEnabled = row["plus_enabled"].bool { #expect(bench.state.canIncrement == isEnabled) }
  }

  @Test(arguments: try VectorRow.table("rpverticalstepper", "setters"))
  func `a setter is RPVerticalStepper's`(_ row: VectorRow) throws {
    var bench = try Bench("profile=rpvertical")
    var isAdjusted = true
    switch row["do"].string {
    case "value=1000 (1..99)": bench.set(1_000)
    case "value=-5": bench.set(-5)
    case "value=50 when already 50":
      bench = try Bench("profile=rpvertical initial=50")
      bench.set(50)
    case "minimumValue=100 (max 99)": isAdjusted = bench.adjust(minimum: 100)
    case "minimumValue=99 (max 99)": isAdjusted = bench.adjust(minimum: 99)
    case "maximumValue=0 (min 1)": isAdjusted = bench.adjust(maximum: 0)
    case "maximumValue=1 (min 1)": isAdjusted = bench.adjust(maximum: 1)
    case "stepValue=0": isAdjusted = bench.adjust(step: 0)
    case "stepValue=-1": isAdjusted = bench.adjust(step: -1)
    case "autoRepeatInterval=0":
      #expect(throws: (any Error).self) { try Bench("profile=rpvertical repeat=0ms/0ms") }
      bench = try Bench("profile=rpvertical autorepeat=false")
      try bench.hold(.plus, for: 2_000)
      #expect(bench.times == [0])
      return
    case "autoRepeatInterval=-1":
      #expect(throws: (any Error).self) { try Bench("profile=rpvertical repeat=-100ms/-100ms") }
      return
    default:
      bench = try Bench("profile=rpvertical initial=50")
      bench.adjust(maximum: 10)
      try bench.hold(.plus, from: 100, for: 1_000)
      #expect(bench.value == row["value"].decimal)
      try bench.hold(.minus, from: 2_000, for: 1_000)
    }
    #expect(isAdjusted == (row["raises"] == .null))
    if let value = row["value"].decimal { #expect(bench.value == value) }
    if let isTold = row["notify"].bool { #expect(!bench.told.isEmpty == isTold) }
    if let minimum = row["minimum"].decimal { #expect(bench.minimum == minimum) }
  }

  @Test func `a button is off exactly at its end`() throws {
    #expect(try VectorRow.row("rpverticalstepper", "buttons").string != nil)
    var bench = try Bench("profile=rpvertical initial=98")
    #expect(bench.arrows == [true, true])
    bench.set(99)
    #expect(bench.arrows == [false, true])
    bench.set(1)
    #expect(bench.arrows == [true, false])
    #expect(try Bench("profile=rpvertical initial=97 step=5").arrows == [true, true])
  }

  @Test func `a hold at the limit goes on when it is raised`() throws {
    #expect(try VectorRow.row("rpverticalstepper", "hold_events").elements.count == 4)
    var bench = try Bench("profile=rpvertical initial=98")
    try bench.press(.plus)
    bench.adjust(maximum: 101, at: 2_100)
    bench.wait(until: 4_900)
    #expect(bench.changes.map(\.time) == [0, 2_500, 3_000])
    #expect(bench.value == 101)
  }

  @Test func `a release that is not seen ends the hold, or never`() throws {
    for (profile, values) in [("rpvertical", [2]), ("rpvertical/runaway", [2, 3, 4, 5])]
      as [(String, [FixedPoint?])]
    {
      var bench = try Bench("profile=\(profile) maximum=5")
      try bench.press(.plus)
      bench.unplug(at: 100)
      bench.wait(until: 10_000)
      #expect(bench.values == values)
    }
  }

  @Test func `a press after a release that was not seen steps, and its own release ends both`() throws {
    var bench = try Bench("profile=rpvertical/runaway")
    try bench.press(.plus)
    bench.apply(.resynchronized(DeviceNumber(1), [], keysDown: []), at: 100)
    try bench.press(.plus, at: 700)
    #expect(bench.values == [2, 3, 4])
    try bench.release(.plus, at: 800)
    bench.wait(until: 5_000)
    #expect(bench.values == [2, 3, 4])
  }

  @Test func `both buttons repeat by themselves, and the first release ends both`() throws {
    var bench = try Bench("profile=rpvertical initial=50")
    try bench.press(.plus)
    try bench.press(.minus, at: 100)
    try bench.release(.minus, at: 1_050)
    bench.wait(until: 5_000)
    #expect(bench.changes.map(\.time) == [0, 100, 500, 600, 1_000])
    #expect(bench.values == [51, 50, 51, 50, 51])
  }
}
