import StepperCore
import Testing

/// Wear Compose's Stepper, read from its source: a grid of values.
@Suite struct WearStepperTests {
  @Test(arguments: try VectorRow.table("android_m3_stepper", "wear_compose.cases"))
  func `a step leads from tick to tick`(_ row: VectorRow) throws {
    let range = try row["range"].elements.map { try #require($0.decimal) }
    let length = range[1].doubleValue - range[0].doubleValue
    let count = try #require(row["steps"].double) + 1
    let step = try #require(FixedPoint(nearest: length / count))
    let value = try #require(row["value"].decimal)
    // A value outside stays too, until a press.
    var bench = try Bench(
      "profile=material/wear range-change=never precision=3 minimum=\(min(range[0], value)) maximum=\(range[1])"
        + " initial=\(value) step=\(step)")
    bench.adjust(minimum: range[0])
    #expect(bench.value == value)
    #expect(bench.arrows == [row["up_enabled"].bool, row["down_enabled"].bool])
    try bench.tap(row["op"].string == "+" ? .plus : .minus)
    #expect(bench.value == row["result"].decimal)
  }

  @Test(arguments: try VectorRow.table("android_m3_stepper", "wear_compose.int_progressions"))
  func `the last value is the last tick`(_ row: VectorRow) throws {
    let range = row["range"].elements
    var bench = try Bench(
      "profile=material/wear \(try pair("minimum", range[0])) \(try pair("maximum", range[1])) "
        + (try pair("step", row["step"])) + " " + (try pair("initial", range[0])))
    let values = row["values"].elements.map(\.decimal)
    try bench.hold(.plus, for: 5_000)
    #expect([bench.start] + bench.values == values)
    #expect(bench.arrows == [false, true])
    try bench.hold(.minus, from: 6_000, for: 5_000)
    #expect(bench.values.suffix(values.count - 1) == values.dropLast().reversed()[...])
    #expect(bench.arrows == [true, false])
  }

  @Test func `a value between the ticks is at an end if its tick is`() throws {
    // 3.9 of 1…4 by 0.375 is shown as 4.
    var bench = try Bench("profile=material/wear minimum=1 maximum=4 step=0.375 initial=3.9")
    #expect(bench.arrows == [false, true])
    try bench.tap(.plus)
    #expect(bench.values.isEmpty)
    bench.set(FixedPoint("1.1"))
    #expect(bench.arrows == [true, false])
  }
}
