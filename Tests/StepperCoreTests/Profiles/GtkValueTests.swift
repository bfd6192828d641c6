import StepperCore
import StepperText
import Testing

/// GtkSpinButton's range, ticks and texts, measured with GTK 4.18.6.
@Suite struct GtkValueTests {
  @Test(arguments: try VectorRow.table("gtk4_wrap", "cases"))
  func `a step is GTK's`(_ row: VectorRow) throws {
    let isGiven = row["increment"] != .number(0)
    var bench = try Bench(
      "profile=gtk wraps=\(row["wrap"].bool ?? false) "
        + [
          pair("minimum", row["lower"]), pair("maximum", row["upper"]), pair("page", row["page"]),
          pair("step", isGiven ? row["increment"] : row["step"]),
        ].joined(separator: " "))
    bench.set(row["value"].decimal)
    let before = bench.value
    let count = bench.told.count
    switch row["op"].string {
    case "STEP_FORWARD": bench.step(1)
    case "STEP_BACKWARD": bench.step(-1)
    case "PAGE_FORWARD": bench.step(1, .page)
    case "HOME": try bench.tap(.toMinimum)
    default: Issue.record("what is \(row["op"])?")
    }
    #expect(bench.value == (try rounded(row["result"])))
    let changes = bench.told.dropFirst(count).filter { $0.value != before }
    #expect(changes.isEmpty == (row["value_changed"] == .number(0)))
    #expect(bench.arrows == [row["up_sensitive"].bool, row["down_sensitive"].bool])
    let isBackwards = before.map {
      ($0 < bench.value ?? 0) != (row["op"].string?.hasSuffix("FORWARD") ?? false)
    }
    #expect(row["wrapped_signals"].int == (!changes.isEmpty && isBackwards ?? false ? 1 : 0))
  }

  /// There is no page size here; a value that GTK's does not keep away from the upper end is the same.
  @Test(arguments: try VectorRow.table("gtk4_clamp_range", "set_value"))
  func `a value is clamped`(_ row: VectorRow) throws {
    var bench = try Bench("profile=gtk")
    bench.adjust(minimum: row["lower"].decimal, maximum: row["upper"].decimal)
    bench.set(row["set"].decimal)
    #expect(bench.value == row["value"].decimal)
    #expect(bench.arrows == [row["up_sensitive"].bool, row["down_sensitive"].bool])
  }

  @Test(arguments: try VectorRow.table("gtk4_clamp_range", "range_order"))
  func `a range moves as GTK's`(_ row: VectorRow) throws {
    let name = try #require(row["case"].string)
    var bench = try Bench(name.hasPrefix("new") ? "profile=gtk maximum=0" : "profile=gtk")
    switch name {
    case "adj.set_lower(50) value 10", "adj.set_lower(50) value 10 then update()":
      bench.set(10)
      bench.adjust(minimum: 50)
      if name.hasSuffix("update()") { bench.set(bench.value, isText: true) }
    case "adj.set_upper(50) value 90":
      bench.set(90)
      bench.adjust(maximum: 50)
    case "spin.set_range(80,20) (min>max) value 50":
      bench.set(50)
      bench.adjust(minimum: 80, maximum: 20)
    default:
      bench.set(50)
      bench.adjust(maximum: 100)
    }
    #expect(bench.value == row["value"].decimal)
    if let shown = row["shown"].string { #expect(bench.text == shown) }
    if let up = row["up"].bool, let down = row["down"].bool { #expect(bench.arrows == [up, down]) }
    if let after = row["after_step_up"].decimal {
      bench.step(1)
      #expect(bench.value == after)
    }
  }

  /// In binary 0.95 is less than 9½ tenths; as a decimal it is a tie, which goes up.
  private static let tiesOnlyAsDecimals = ["gtk4_snap cases[12]": FixedPoint(1)]

  @Test(arguments: try VectorRow.table("gtk4_snap", "cases"))
  func `a text snaps to the ticks`(_ row: VectorRow) throws {
    let options = try [
      pair("minimum", row["lower"]), pair("maximum", row["upper"]), pair("step", row["step"]),
    ]
    var bench = try Bench("profile=gtk snap-to-ticks initial=1 \(options.joined(separator: " "))")
    bench.set(row["input"].decimal, isText: true)
    #expect(bench.value == (try Self.tiesOnlyAsDecimals[row.testDescription] ?? rounded(row["value"])))
    // Without a commit it stays where it is.
    bench.set(row["input"].decimal)
    let input = try rounded(row["input"])
    #expect(bench.value == (input > bench.maximum ?? input ? bench.maximum : input))
  }

  /// The double 2.675 is less than that; the decimal is a tie, which goes to the even 8.
  private static let roundsUpAsDecimal = ["gtk4_format_and_api format[5]": "2.68"]

  @Test(arguments: try VectorRow.table("gtk4_format_and_api", "format"))
  func `a value is shown as printf shows it`(_ row: VectorRow) throws {
    let bench = try Bench(
      "profile=gtk minimum=-10 maximum=999999999999 digits=\(try #require(row["digits"].int)) "
        + "initial=\(try #require(row["value"].decimal).normalized)")
    #expect(bench.text == Self.roundsUpAsDecimal[row.testDescription] ?? row["shown"].string)
  }

  @Test(arguments: try VectorRow.table("gtk4_format_and_api", "api"))
  func `a spin button is made and clicked as GTK's`(_ row: VectorRow) throws {
    switch row["case"].string {
    case "default SpinButton adjustment":
      // The profile has 0…100 by 1 and 10; the object's own zeros leave nothing to do, and neither does this.
      let bench = try Bench("profile=gtk maximum=0")
      #expect(bench.value == row["value"].decimal && bench.maximum == row["upper"].decimal)
      #expect(
        bench.settings.feel.climb.rate == row["climb"].decimal && bench.settings.digits == row["digits"].int)
      #expect(bench.settings.textRules.isNumeric == row["numeric"].bool)
      #expect(bench.settings.feel.wraps == row["wrap"].bool && bench.settings.feel.snapping == .none)
      #expect(bench.settings.textRules.updatePolicy.rawValue == row["policy"].string)
    case "new_with_range":
      let arguments = row["args"].elements
      let options = try [
        pair("minimum", arguments[0]), pair("maximum", arguments[1]), pair("step", arguments[2]),
        pair("climb-rate", row["climb"]), pair("digits", row["digits"]),
      ]
      let bench = try Bench("profile=gtk/adw \(options.joined(separator: " "))")
      #expect(bench.value == row["value"].decimal && bench.text == row["shown"].string)
      #expect(bench.settings.pageIncrement == row["page"].decimal)
      #expect(bench.settings.textRules.isNumeric == row["numeric"].bool)
    default:
      var bench = try Bench("profile=gtk maximum=1 step=0.1 digits=\(try #require(row["digits"].int))")
      let values = try row["values"].elements.map { value in
        try bench.tap(.plus, at: bench.now + 50)
        let expected = try rounded(value)
        #expect(bench.value == expected)
        return expected
      }
      #expect(values.count == 12)
    }
  }
}
