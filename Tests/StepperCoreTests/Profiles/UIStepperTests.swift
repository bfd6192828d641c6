import StepperConfiguration
import StepperCore
import Testing

/// UIStepper, SwiftUI's Stepper and UISlider, as documented.
@Suite struct UIStepperTests {
  @Test func `the defaults are UIStepper's`() throws {
    let row = try VectorRow.row("uistepper_rules", "defaults")
    let bench = try Bench("profile=uikit")
    #expect(bench.value == row["value"].decimal)
    #expect(bench.minimum == row["minimumValue"].decimal && bench.maximum == row["maximumValue"].decimal)
    #expect(bench.settings.stepValue == row["stepValue"].decimal)
    #expect(bench.settings.feel.wraps == row["wraps"].bool)
    #expect(bench.settings.feel.autorepeat == row["autorepeat"].bool)
    #expect(bench.settings.feel.isContinuous == row["isContinuous"].bool)
  }

  @Test(arguments: try VectorRow.table("uistepper_rules", "setters"))
  func `a setter is UIStepper's`(_ row: VectorRow) throws {
    var bench = try Bench("profile=uikit")
    switch row["do"].string {
    case "value=150 (0..100)": bench.set(150)
    case "value=-1": bench.set(-1)
    case "minimumValue=5 with value 5, then value=2 before lowering minimum":
      bench.adjust(minimum: 5)
      #expect(bench.value == 5)
      bench.set(2)
      bench.adjust(minimum: 0)
    case "min==max":
      #expect(try Bench("profile=uikit minimum=7 maximum=7").arrows == [false, false])
      let isAdjusted = bench.adjust(minimum: 100, maximum: 100)
      #expect(isAdjusted && bench.value == 100 && bench.arrows == [false, false])
      return
    case "stepValue=0 or negative":
      for step in [FixedPoint(0), -1] {
        let isAdjusted = bench.adjust(step: step)
        #expect(!isAdjusted)
        #expect(throws: (any Error).self) { try Bench("profile=uikit step=\(step)") }
      }
      return
    default: return try checkConflict(row)
    }
    #expect(bench.value == row["value"].decimal)
  }

  /// Apple's three pages say three things; the overview's example is the default, the others are options.
  private func checkConflict(_ row: VectorRow) throws {
    #expect(row["variants"].members.count == 3)
    var example = try Bench("profile=uikit minimum=200 maximum=300")
    example.adjust(maximum: 100)
    #expect([example.minimum, example.maximum, example.value] == [200, 200, 200])
    var raises = try Bench("profile=uikit range-conflict=refuse minimum=200 maximum=300")
    let isAdjusted = raises.adjust(maximum: 100)
    #expect(!isAdjusted && [raises.minimum, raises.maximum, raises.value] == [200, 300, 200])
    var both = try Bench("profile=uikit range-conflict=last-writer minimum=200 maximum=300")
    both.adjust(maximum: 100)
    #expect([both.minimum, both.maximum, both.value] == [100, 100, 100])
  }

  @Test(arguments: try VectorRow.table("uistepper_rules", "step"))
  func `a step is UIStepper's`(_ row: VectorRow) throws {
    var bench = try Bench(
      "profile=uikit wraps=\(row["wraps"].bool ?? false) "
        + [
          pair("minimum", row["min"]), pair("maximum", row["max"]), pair("step", row["step"]),
          pair("initial", row["value"]),
        ].joined(separator: " "))
    if let isEnabled = row["plus_enabled"].bool { #expect(bench.state.canIncrement == isEnabled) }
    try bench.tap(row["op"].string == "+" ? .plus : .minus)
    #expect(bench.value == row["result"].decimal)
  }

  @Test func `events are UIStepper's`() throws {
    #expect(try vector("uistepper_rules")["events"].members.count == 3)
    var bench = try Bench("profile=uikit")
    try bench.hold(.plus, for: 1_000)
    #expect(bench.times == [0, 500, 1_000])
    bench = try Bench("profile=uikit continuous=false")
    try bench.hold(.plus, for: 1_100)
    #expect(bench.changes == [Bench.Change(time: 1_100, value: 3)])
    // Nobody is told of a value that is again what it was; the gesture itself is told.
    bench = try Bench("profile=uikit continuous=false wraps maximum=1")
    try bench.hold(.plus, for: 600)
    #expect(bench.changes.isEmpty && bench.told.map(\.isEditing) == [true, false])
    // Here whoever follows the control is told of what others set, with the reason.
    bench.set(1)
    #expect(bench.state.origin == .client)
  }

  @Test func `without autorepeat a press is one step`() throws {
    #expect(try VectorRow.row("uistepper_rules", "autorepeat_false").string != nil)
    var bench = try Bench("profile=uikit autorepeat=false")
    try bench.hold(.plus, for: 5_000)
    #expect(bench.times == [0])
  }

  @Test func `both buttons are never pressed at once`() throws {
    #expect(try VectorRow.row("uistepper_rules", "both_buttons").string != nil)
    var bench = try Bench("profile=uikit initial=50")
    try bench.press(.plus)
    try bench.press(.minus, at: 100)
    try bench.release(.minus, at: 200)
    bench.wait(until: 1_000)
    #expect(bench.values == [51, 52, 53])
  }

  @Test func `a hold ends at the limit, but goes on where it wraps`() throws {
    #expect(try VectorRow.row("uistepper_rules", "limit_while_held").string != nil)
    var bench = try Bench("profile=uikit maximum=2")
    try bench.press(.plus)
    bench.adjust(maximum: 100, at: 800)
    bench.wait(until: 3_000)
    #expect(bench.values == [1, 2] && bench.arrows == [true, true])
    bench = try Bench("profile=uikit maximum=2 wraps")
    try bench.hold(.plus, for: 1_999)
    #expect(bench.values == [1, 2, 0, 1])
  }

  @Test(arguments: try VectorRow.table("swiftui_stepper", "cases"))
  func `a step is SwiftUI's`(_ row: VectorRow) throws {
    let start = row["value"] == .null ? row["start"] : row["value"]
    // Seven colours, by hand there.
    let range = row["range"].elements
    let options =
      range.isEmpty
      ? "wraps maximum=6"
      : try [pair("minimum", range[0]), pair("maximum", range[1]), pair("step", row["step"])]
        .joined(separator: " ")
    var bench = try Bench("profile=uikit \(options) \(try pair("initial", start))")
    try bench.tap(row["op"].string == "+" ? .plus : .minus)
    #expect(bench.value == row["result"].decimal)
  }

  /// `onEditingChanged`.
  @Test func `editing begins and ends with a press`() throws {
    var bench = try Bench("profile=uikit")
    try bench.hold(.plus, for: 1_200)
    #expect(bench.told.map(\.isEditing) == [true, true, true, false])
  }

  // MARK: UISlider

  @Test func `the slider's defaults are UISlider's`() throws {
    let row = try VectorRow.row("uislider_rules", "defaults")
    let bench = try Bench("profile=slider")
    #expect(bench.value == row["value"].decimal)
    #expect(bench.minimum == row["minimumValue"].decimal && bench.maximum == row["maximumValue"].decimal)
    #expect(bench.settings.feel.isContinuous == row["isContinuous"].bool)
  }

  @Test(arguments: try VectorRow.table("uislider_rules", "cases"))
  func `a setter is UISlider's`(_ row: VectorRow) throws {
    var bench = try Bench("profile=slider")
    switch row["do"].string {
    case "0..1 value=2": bench.set(2)
    case "0..1 value=-1": bench.set(-1)
    case "0..1 value .25; minimumValue=.5":
      bench.set(FixedPoint("0.25"))
      bench.adjust(minimum: FixedPoint("0.5"))
    case "0..1 value .75; maximumValue=.5":
      bench.set(FixedPoint("0.75"))
      bench.adjust(maximum: FixedPoint("0.5"))
    case "0..1 minimumValue=5": bench.adjust(minimum: 5)
    case "5..10 value 7; maximumValue=2":
      bench = try Bench("profile=slider minimum=5 maximum=10 initial=7")
      bench.adjust(maximum: 2)
    default:
      bench.adjust(minimum: FixedPoint("0.5"))
      bench.adjust(minimum: 0)
      #expect(bench.value == FixedPoint("0.5"))
      return
    }
    #expect(bench.value == row["value"].decimal)
    if let minimum = row["min"].decimal { #expect(bench.minimum == minimum) }
    if let maximum = row["max"].decimal { #expect(bench.maximum == maximum) }
  }

  @Test func `a fader tells each movement, or its end`() throws {
    #expect(try vector("uislider_rules")["events"].members.count == 2)
    var bench = try Bench("profile=slider pickup=jump")
    try bench.slide(250)
    try bench.slide(500, at: 100)
    bench.wait(until: 1_000)
    #expect(bench.changes.map(\.time) == [0, 100])
    bench = try Bench("profile=slider pickup=jump continuous=false")
    try bench.slide(250)
    try bench.slide(500, at: 100)
    bench.wait(until: 1_000)
    #expect(bench.changes == [Bench.Change(time: 400, value: FixedPoint("0.5"))])
  }
}
