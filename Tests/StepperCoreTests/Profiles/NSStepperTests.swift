import StepperCore
import Testing

/// NSStepper: Apple's as documented, GNUstep's as measured.
@Suite struct NSStepperTests {
  @Test func `the defaults are NSStepper's, but for the wrapping`() throws {
    let row = try VectorRow.row("nsstepper_appkit_doc", "defaults")
    let bench = try Bench("profile=appkit")
    #expect(bench.minimum == row["minValue"].decimal && bench.maximum == row["maxValue"].decimal)
    #expect(bench.settings.stepValue == row["increment"].decimal)
    #expect(bench.settings.feel.autorepeat == row["autorepeat"].bool)
    #expect(bench.settings.feel.wraps == row["seed_valueWraps"].bool)
    #expect(try Bench("profile=appkit wraps").settings.feel.wraps == row["valueWraps"].bool)
  }

  @Test func `without autorepeat it steps at the release`() throws {
    #expect(try VectorRow.row("nsstepper_appkit_doc", "autorepeat_false").string != nil)
    var bench = try Bench("profile=appkit autorepeat=false")
    try bench.hold(.plus, for: 1_500)
    #expect(bench.changes == [Bench.Change(time: 1_500, value: 1)])
  }

  @Test(
    arguments: try VectorRow.table("nsstepper_appkit_doc", "wraps")
      + VectorRow.table("nsstepper_appkit_doc", "partial_step"))
  func `a step is NSStepper's`(_ row: VectorRow) throws {
    for (button, result) in [(Bench.Button.plus, row["up"]), (.minus, row["down"])] where result != .null {
      var bench = try stepper("appkit", row)
      try bench.tap(button)
      #expect(bench.value == result.decimal)
    }
  }

  private func stepper(_ profile: String, _ row: VectorRow) throws -> Bench {
    let increment = row["increment"] == .null ? row["inc"] : row["increment"]
    let options = try [
      pair("minimum", row["min"]), pair("maximum", row["max"]), pair("step", increment),
      pair("initial", row["value"]),
    ]
    return try Bench(
      "profile=\(profile) wraps=\(row["wraps"].bool ?? false) \(options.joined(separator: " "))")
  }

  // MARK: GNUstep

  @Test func `the defaults are GNUstep's`() throws {
    for json in try [
      VectorRow.row("nsstepper_gnustep", "defaults"),
      VectorRow.row("nsstepper_gnustep", "upstream_tests.rows")["expect"],
    ] {
      let bench = try Bench("profile=appkit/gnustep")
      let (minimum, maximum) = json["min"] == .null ? ("minValue", "maxValue") : ("min", "max")
      #expect(bench.minimum == json[minimum].decimal && bench.maximum == json[maximum].decimal)
      #expect(bench.settings.stepValue == json["increment"].decimal)
      #expect(bench.settings.feel.autorepeat == json["autorepeat"].bool)
      #expect(bench.settings.feel.wraps == (json["valueWraps"].bool ?? json["wraps"].bool))
      #expect(bench.value == (json["doubleValue"].decimal ?? json["value"].decimal))
      // isContinuous is NO there, and has no effect: the action is sent at every step.
      #expect(bench.settings.feel.isContinuous)
    }
  }

  @Test(arguments: try VectorRow.table("nsstepper_gnustep", "step_table.rows").filter { $0["case"] == .null })
  func `a step is GNUstep's`(_ row: VectorRow) throws {
    for (button, result) in [(Bench.Button.plus, row["up"]), (.minus, row["down"])] {
      var bench = try stepper("appkit/gnustep", row)
      try bench.tap(button)
      #expect(bench.value == result.decimal)
      // A client's steps are the same.
      bench = try stepper("appkit/gnustep", row)
      bench.step(button == .plus ? 1 : -1)
      #expect(bench.value == result.decimal)
    }
  }

  @Test(arguments: try VectorRow.table("nsstepper_gnustep", "step_table.rows").filter { $0["case"] != .null })
  func `a sequence is GNUstep's`(_ row: VectorRow) throws {
    var bench = try Bench("profile=appkit/gnustep")
    switch row["case"].string {
    case "12 increments of 0.1, max 1":
      bench = try Bench("profile=appkit/gnustep wraps=false maximum=1 step=0.1")
      for value in row["values"].elements {
        try bench.tap(.plus, at: bench.now + 100)
        #expect(bench.value == (try rounded(value, to: 1)))
      }
      return
    case "then setMaxValue 10 (min 50 > max 10)":
      bench.adjust(minimum: 50)
      bench.adjust(maximum: 10)
      #expect(bench.minimum == row["min"].decimal && bench.maximum == row["max"].decimal)
    default:
      bench.adjust(minimum: 50, maximum: 10)
      try bench.tap(.plus)
    }
    #expect(bench.value == row["value"].decimal)
  }

  @Test(arguments: try VectorRow.table("nsstepper_gnustep", "upstream_tests.rows").dropFirst())
  func `upstream's tests hold`(_ row: VectorRow) throws {
    let order = row["start"].decimal.map { "initial=\($0)" } ?? ""
    var bench = try Bench("profile=appkit/gnustep \(order)")
    switch row["do"].string ?? row["then"].string {
    case "setMaxValue 10": bench.adjust(maximum: 10)
    case "setMaxValue 100":
      bench = try Bench("profile=appkit/gnustep initial=40")
      bench.adjust(maximum: 10)
      bench.adjust(maximum: 100)
    case "setMinValue 20": bench.adjust(minimum: 20)
    case "setMinValue 0":
      bench.adjust(minimum: 20)
      bench.adjust(minimum: 0)
    case "setObjectValue 100 (0..59)", "setIntValue 100": bench.set(100)
    case "setObjectValue -5": bench.set(-5)
    case "min 50, max 10, set 30":
      bench.adjust(minimum: 50, maximum: 10)
      bench.set(30)
    case "range 5..20 setIntValue 10/100/0":
      bench.adjust(minimum: 5, maximum: 20)
      let values = [10, 100, 0].map { (number: FixedPoint) in
        bench.set(number)
        return bench.value
      }
      #expect(values == row["value"].elements.map(\.decimal))
      return
    case "0..10 inc 1 wraps NO value 5: click upper half, then lower half":
      bench = try Bench("profile=appkit/gnustep maximum=10 wraps=false initial=5")
      try bench.tap(.plus)
      try bench.tap(.minus, at: 100)
      #expect(bench.values == row["value"].elements.map(\.decimal))
      #expect(bench.times == [20, 120])
      return
    default: Issue.record("what is \(row.json)?")
    }
    #expect(bench.value == row["value"].decimal)
  }

  /// Every action that was sent is a change of the value, or the same value told again.
  @Test(arguments: try vector("nsstepper_gnustep")["hold"]["runs"].members.keys.sorted())
  func `a hold goes as GNUstep's`(_ name: String) throws {
    let run = try VectorRow.row("nsstepper_gnustep", "hold.runs.\(name)")
    let env = run["env"]
    let options = try [
      pair("initial", env["VAL"] == .null ? .number(0) : env["VAL"]),
      pair("maximum", env["MAX"] == .null ? .number(59) : env["MAX"]),
      pair("step", env["INC"] == .null ? .number(1) : env["INC"]),
      "wraps=\(env["WRAP"] != .number(0))", "autorepeat=\(env["REP"] != .number(0))",
    ]
    var bench = try Bench("profile=appkit/gnustep \(options.joined(separator: " "))")
    let button = name.contains("down") ? Bench.Button.minus : .plus
    var sent: [FixedPoint?] = []
    var ideal: [Int64] = []
    var pressed: Int64?
    /// Steps of the press that ends now: 600 ms after it, and every 125 ms.
    func end(at time: Int64) {
      if let origin = pressed, env["REP"] != .number(0) {
        ideal += stride(from: origin + 600, through: time, by: 125)
      }
      pressed = nil
    }
    for entry in run["log"].elements.map(\.elements) {
      let time = Int64(try #require(entry[0].double))
      switch entry[1].string {
      case "press", "back":
        if !bench.state.isLive { bench.plugIn(at: time) }
        try bench.press(button, at: time)
        pressed = time
      case "out":
        // Nobody can leave a button without letting it go, but its device can go.
        bench.unplug(at: time)
        end(at: time)
      case "release":
        guard pressed != nil else { break }
        try bench.release(button, at: time)
        end(at: time)
        ideal.append(time)
      default: sent.append(try rounded(entry[2]))
      }
    }
    bench.wait(until: 20_000)
    #expect(ideal.count == sent.count)
    guard name.contains("limit") else {
      #expect(bench.values == sent)
      #expect(bench.times == ideal)
      return
    }
    // The action is sent with the same value, over and over.
    let told = bench.told.dropFirst()
    #expect(told.map(\.value) == sent)
    #expect(told.map { $0.time.nanoseconds / 1_000_000 } == ideal)
  }
}
