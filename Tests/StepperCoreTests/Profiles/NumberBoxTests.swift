import Glibc
import StepperCore
import StepperText
import Testing

/// WinUI's NumberBox: its source and upstream's own tests.
@Suite struct NumberBoxTests {
  @Test(arguments: try VectorRow.table("numberbox_wrap_and_step", "cases"))
  func `a step is NumberBox's`(_ row: VectorRow) throws {
    // ±DBL_MAX is no end at all. Without ends nothing can wrap, and asking for it is refused.
    let isOpen = row["maximum"].double ?? 0 > 1e300
    let change = try #require(row["change"].decimal)
    var options = try [pair("step", .number(abs(change.doubleValue))), pair("initial", row["value"])]
    if !isOpen {
      options += try [pair("minimum", row["minimum"]), pair("maximum", row["maximum"])]
      options.append("wraps=\(row["IsWrapEnabled"].bool ?? false)")
    }
    if row["ValidationMode"].string == "Disabled" { options.append("bounds=advisory") }
    let line = "profile=winui \(options.joined(separator: " "))"
    for isPress in [true, false] {
      var bench = try Bench(line, hasEnds: !isOpen)
      #expect(bench.value == row["value"].decimal)
      #expect(bench.arrows == [row["up_enabled_before"].bool, row["down_enabled_before"].bool])
      if isPress { try bench.tap(change > 0 ? .plus : .minus) } else { bench.step(change > 0 ? 1 : -1) }
      #expect(bench.value == row["result"].decimal)
      #expect(bench.text == row["text"].string)
      #expect(bench.values == row["value_changed_events"].elements.map { $0.elements[1].decimal })
      #expect(bench.arrows == [row["up_enabled"].bool, row["down_enabled"].bool])
    }
  }

  @Test
  func `an end that is passed while bounds are advisory leads to the other, as upstream's source has it`()
    throws
  {
    // -50 + 1 < 0, so it is the maximum.
    var bench = try Bench("profile=winui minimum=0 maximum=100 wraps bounds=advisory initial=-50")
    #expect(bench.value == -50)
    try bench.tap(.plus)
    #expect(bench.value == 100)
    bench.set(-1)
    bench.step(2)
    // To 0, and to 1.
    #expect(bench.value == 1)
  }

  /// NumberBox adds doubles and takes away the drift at the next step, with an event of its own: decimals have
  /// none.
  @Test func `tenths add up`() throws {
    let row = try VectorRow.row("numberbox_wrap_and_step", "accumulation")
    var bench = try Bench("profile=winui \(try pair("initial", row["start"])) step=0.1", hasEnds: false)
    for _ in 0..<(row["steps"].int ?? 0) { try bench.tap(.plus, at: bench.now + 100) }
    #expect(bench.values == (try row["values"].elements.map { try rounded($0) }))
    // The other events differ from the one before by the drift alone.
    let events = try row["events"].elements.map { try rounded($0.elements[1]) }
    #expect(bench.values == zip([0] + events, events).filter { $0 != $1 }.map(\.1))
    #expect(bench.text == row["text"].string)
  }

  @Test func `more than ten digits are lost at a step`() throws {
    let row = try VectorRow.row("numberbox_wrap_and_step", "precision_quirk")
    var bench = try Bench("profile=winui \(try pair("initial", row["start"]))", hasEnds: false)
    #expect(bench.text == row["text"].string)
    try bench.tap(.plus)
    // There and back in one moment, which is no change.
    #expect(bench.value == row["result"].decimal && bench.values.isEmpty)
  }

  @Test(arguments: try VectorRow.table("numberbox_wrap_and_step", "upstream"))
  func `upstream's tests hold`(_ row: VectorRow) throws {
    switch row["test"].string {
    case "UpDownTest": try upDown()
    case "BasicKeyboardTest": try keyboard()
    case "ScrollTest": try scroll()
    case "UpDownEnabledTest": try enabled()
    default: Issue.record("what is \(row["test"])?")
    }
  }

  private func upDown() throws {
    var bench = try Bench("profile=winui initial=1 step=0.01", hasEnds: false)
    try bench.tap(.plus)
    #expect(bench.text == "1.01")
    bench = try Bench("profile=winui initial=0", hasEnds: false)
    try bench.tap(.plus)
    try bench.tap(.minus, at: 100)
    bench.adjust(step: 5)
    try bench.tap(.plus, at: 200)
    #expect(bench.values == [1, 0, 5])
    bench = try Bench("profile=winui minimum=0 maximum=100 initial=100 wraps step=5")
    try bench.tap(.plus)
    try bench.tap(.minus, at: 100)
    try enter("50", in: &bench)
    try bench.tap(.plus, at: 200)
    #expect(bench.values == [0, 100, 50, 55])
  }

  /// PageUp and PageDown are buttons too. Escape takes back what nobody was told.
  private func keyboard() throws {
    var bench = try Bench("profile=winui", hasEnds: false)
    for text in ["8", "  75 "] { try enter(text, in: &bench) }
    for (index, button) in [Bench.Button.plus, .minus, .pagePlus].enumerated() {
      try bench.tap(button, at: Int64(index) * 100)
    }
    #expect(bench.values == [8, 75, 76, 75, 85])
  }

  /// There is no focus: a knob that must not turn anything is not bound.
  private func scroll() throws {
    var bench = try Bench("profile=winui initial=0", hasEnds: false)
    for index in 0..<2 { try bench.turn(1, at: Int64(index) * 50) }
    #expect(bench.value == 2)
    for index in 2..<5 { try bench.turn(-1, at: Int64(index) * 50) }
    #expect(bench.value == -1)
    // One step for each event, whatever its size.
    try bench.turn(7)
    #expect(bench.value == 0)
  }

  private func enabled() throws {
    var bench = try Bench("profile=winui minimum=0 maximum=100")
    #expect(bench.value == nil && bench.arrows == [false, false])
    bench.set(0)
    #expect(bench.arrows == [true, false])
    bench.set(100)
    #expect(bench.arrows == [false, true])
    bench.adjust(maximum: 200)
    #expect(bench.arrows == [true, true])
    #expect(try Bench("profile=winui minimum=0 maximum=100 initial=100 wraps").arrows == [true, true])
    #expect(
      try Bench("profile=winui minimum=0 maximum=100 initial=0 bounds=advisory").arrows == [true, true])
    #expect(try Bench("profile=winui minimum=0 maximum=100 bounds=advisory").arrows == [false, false])
  }

  private func enter(_ text: String, in bench: inout Bench) throws {
    let reading = bench.settings.textRules.read(text, digits: bench.settings.digits)
    let range = (bench.minimum ?? -1_000_000)...(bench.maximum ?? 1_000_000)
    bench.set(reading.value(in: range, from: bench.value ?? 0, .overwrite), isText: true)
  }

  // MARK: Coercion

  @Test func `the defaults are NumberBox's`() throws {
    let row = try VectorRow.row("numberbox_coercion", "defaults")
    let bench = try Bench("profile=winui", hasEnds: false)
    #expect(row["Value"] == .string("NaN") && bench.value == nil)
    #expect(bench.minimum == nil && bench.maximum == nil)
    #expect(row["Minimum"].double == -Double.greatestFiniteMagnitude)
    #expect(bench.settings.stepValue == row["SmallChange"].decimal)
    #expect(bench.settings.pageIncrement == row["LargeChange"].decimal)
    #expect((bench.settings.textRules.expressions != .none) == row["AcceptsExpression"].bool)
    #expect(bench.settings.feel.wraps == row["IsWrapEnabled"].bool)
    #expect(row["ValidationMode"].string == "InvalidInputOverwritten")
    #expect(bench.settings.textRules.updatePolicy == .overwrite && bench.settings.feel.bounds == .enforced)
  }

  @Test func `a range moves as NumberBox's`() throws {
    var bench = try Bench("profile=winui minimum=0 maximum=100 initial=10")
    let rows = try VectorRow.rows("numberbox_coercion", "sequence")
    for row in rows.dropFirst() {
      switch row["do"].string {
      case "Value=-1": bench.set(-1)
      case "type 123 Enter": try enter("123", in: &bench)
      case "Maximum=90": bench.adjust(maximum: 90)
      case "Minimum=200": bench.adjust(minimum: 200)
      case "Maximum=150": bench.adjust(maximum: 150)
      default: Issue.record("what is \(row["do"])?")
      }
      #expect(bench.value == row["value"].decimal)
      if let minimum = row["minimum"].decimal { #expect(bench.minimum == minimum) }
      if let maximum = row["maximum"].decimal { #expect(bench.maximum == maximum) }
    }
  }

  /// ValidationMode Disabled; the first row sets -10, the second 150.
  @Test func `any value stands where bounds are advisory`() throws {
    var bench = try Bench("profile=winui minimum=0 maximum=100 bounds=advisory")
    for row in try VectorRow.rows("numberbox_coercion", "validation_disabled.sequence") {
      bench.set(row["value"].decimal, clamps: false)
      #expect(bench.value == row["value"].decimal)
    }
    #expect(bench.values == [-10, 150])
  }

  @Test func `every change is told once`() throws {
    var bench = try Bench("profile=winui minimum=0 maximum=100")
    for row in try VectorRow.rows("numberbox_coercion", "value_changed.sequence") {
      let count = bench.told.count
      let former = bench.value
      switch row["do"].string {
      case "Value=42": bench.set(42)
      case "Value=NaN again": bench.set(nil)
      case let typed?:
        let word = typed.dropFirst("type ".count)
        try enter(word == "empty" ? "" : String(word), in: &bench)
      case nil: Issue.record("nothing to do")
      }
      guard row["event"] == .null else {
        #expect(bench.told.count == count)
        continue
      }
      #expect(former == row["old"].decimal && bench.value == row["new"].decimal)
      #expect(bench.text == row["text"].string)
      #expect(bench.told.count == count + 1)
    }
    // 10, set to 12 and coerced to 10, is no change.
    bench = try Bench("profile=winui minimum=0 maximum=10 initial=10")
    bench.set(12)
    #expect(bench.told.isEmpty)
  }

  @Test(arguments: try VectorRow.table("numberbox_hold_timeline", "partial_limits"))
  func `a hold ends at the limit`(_ row: VectorRow) throws {
    let options = try [pair("initial", row["value"]), pair("maximum", row["max"]), pair("step", row["step"])]
    var bench = try Bench("profile=winui minimum=0 \(options.joined(separator: " "))")
    try bench.press(.plus)
    // Enabled again while it is held, it does not go on.
    bench.adjust(maximum: 100, at: 2_000)
    bench.wait(until: 3_000)
    #expect(bench.times.map { Int($0) } == row["steps_at"].elements.compactMap(\.int))
    #expect(bench.values == row["values"].elements.map(\.decimal))
  }
}
