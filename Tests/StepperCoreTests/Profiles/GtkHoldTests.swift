import StepperCore
import Testing

/// GtkSpinButton's hold, climb and keys, measured with GTK 4.18.6, at their nominal instants.
@Suite struct GtkHoldTests {
  /// `[time, step, value, "wrapped"?]`.
  struct Ideal {
    var time: Int64
    var value: FixedPoint
    var wrapped: Bool

    init(_ row: JSON) throws {
      let parts = row.elements
      time = Int64(try #require(parts[0].int))
      value = try rounded(parts[2])
      wrapped = parts.count > 3
    }
  }

  @Test(arguments: try VectorRow.table("gtk4_hold_timeline", "cases"))
  func `a hold goes as GTK's`(_ row: VectorRow) throws {
    let params = row["params"]
    let options = try [
      pair("initial", params["value"]), pair("minimum", params["lower"]), pair("maximum", params["upper"]),
      pair("step", params["step_increment"]), pair("page", params["page_increment"]),
      pair("climb-rate", params["climb_rate"]), pair("digits", params["digits"]),
      "wraps=\(params["wrap"].bool ?? false)",
    ]
    let isUp = row["button"].string == "up"
    if row["mouse_button"].int == 3 {
      // The secondary button goes to the limit when it is let go.
      var bench = try Bench("profile=gtk \(options.joined(separator: " "))")
      let duration = Int64(try #require(row["hold_ms"].int))
      try bench.hold(isUp ? .toMaximum : .toMinimum, for: duration)
      let last = try #require(row["measured"].elements.last).elements
      #expect(bench.changes == [Bench.Change(time: duration, value: try rounded(last[2]))])
      return
    }
    try check(row, options, isUp ? .plus : .minus)
  }

  @Test(arguments: try VectorRow.table("gtk4_hold_timeline", "derived"))
  func `a hold goes as the model of GTK's source`(_ row: VectorRow) throws {
    let params = row["params"]
    // A page is at least one unit here; one of 0 never climbs, which a page of one step does not either.
    let page = params["page"] == .number(0) ? params["step"] : params["page"]
    let options = try [
      pair("initial", params["value"]), pair("minimum", params["lo"]), pair("maximum", params["up"]),
      pair("step", params["step"]), pair("page", page),
      pair("climb-rate", params["climb"] == .null ? .number(0) : params["climb"]),
      "wraps=\(params["wrap"].bool ?? false)",
    ]
    try check(row, options, .plus)
  }

  private func check(_ row: VectorRow, _ options: [String], _ button: Bench.Button) throws {
    var bench = try Bench("profile=gtk \(options.joined(separator: " "))")
    let duration = Int64(try #require(row["hold_ms"].int))
    try bench.hold(button, for: duration)
    bench.wait(until: duration + 1_000)
    let ideal = try row["ideal"].elements.map(Ideal.init)
    #expect(bench.times == ideal.map(\.time))
    #expect(bench.values == ideal.map(\.value))
    // A change against the direction is what GTK calls wrapped.
    var former: FixedPoint = bench.start ?? 0
    let isBackwards: [Bool] = bench.values.map { value in
      let value = value ?? 0
      defer { former = value }
      return button == .plus ? value < former : value > former
    }
    #expect(isBackwards == ideal.map(\.wrapped))
  }

  /// A log of what a real widget did, in which an event is placed by the change that it follows.
  @Test(arguments: try VectorRow.table("gtk4_hold_events", "cases"))
  func `what happens meanwhile is taken as GTK takes it`(_ row: VectorRow) throws {
    let options = [
      "raise_upper_while_held": "maximum=3", "change_step_while_held": "",
      "changed_resets_climb": "climb-rate=2 maximum=1000",
      "snap_upper_not_tick": "maximum=10 step=3 snap-to-ticks",
      "scroll": "step=2 initial=5",
    ]
    let name = try #require(row["name"].string)
    var bench = try Bench("profile=gtk \(try #require(options[name]))")
    var expected: [FixedPoint] = []
    var log = MeasuredLog(interval: 50)
    for entry in try row["log"].elements.map(LogEntry.init) {
      let time = log.nominal(entry)
      switch entry.kind {
      case "v": expected.append(entry.value)
      case "press:up", "press again": try bench.press(.plus, at: time)
      case "release": try bench.release(.plus, at: time)
      case "upper=100": bench.adjust(maximum: 100, at: time)
      case "upper=2000": bench.adjust(maximum: 2_000, at: time)
      case "step=5": bench.adjust(step: 5, at: time)
      case "update()":
        bench.wait(until: time)
        bench.set(bench.value, isText: true)
      case "scroll up": try bench.turn(1, at: time)
      case "scroll down":
        try bench.turn(-1, at: time)
        try bench.turn(-1)
      default: Issue.record("what is \(entry.kind)?")
      }
    }
    #expect(bench.values == expected)
    #expect(bench.times == log.changes)
  }

  @Test(arguments: try VectorRow.table("adw_spin_row", "measured.adw_spin_row_hold"))
  func `AdwSpinRow holds as its spin button`(_ row: VectorRow) throws {
    var bench = try Bench("profile=gtk/adw \(try pair("climb-rate", row["climb"]))")
    try bench.hold(.plus, for: Int64(try #require(row["hold_ms"].int)))
    let log = row["log"].elements.map(\.elements)
    #expect(try bench.values.prefix(log.count) == log.map { try rounded($0[1]) }[...])
    for (time, entry) in zip(bench.times, log) {
      #expect(abs(try #require(entry[0].double) - Double(time)) < 10)
    }
    // The nominal instant of one more is the release's.
    #expect(bench.times.dropFirst(log.count) == [1_300])
  }
}

/// `[time, kind, value]`.
struct LogEntry {
  var time: Int64
  var kind: String
  var value: FixedPoint

  init(_ json: JSON) throws {
    let parts = json.elements
    time = Int64(try #require(parts[0].double).rounded())
    kind = try #require(parts[1].string)
    value = try rounded(parts[2])
  }
}

/// Gives the events of a measured log their nominal instants: real timers drift by half a millisecond a tick.
struct MeasuredLog {
  var interval: Int64
  /// Instants of the changes.
  private(set) var changes: [Int64] = []
  private var origin: Int64 = 0
  private var ticks: Int64 = 0
  private var last: Int64?

  init(interval: Int64) { self.interval = interval }

  mutating func nominal(_ entry: LogEntry) -> Int64 {
    switch entry.kind {
    case "v":
      // At what moved it, then 500 ms later, and then at the interval.
      let time = ticks == 0 ? origin : origin + 500 + (ticks - 1) * interval
      ticks += 1
      if entry.time - origin < 20 { ticks = 1 }
      let instant = entry.time - origin < 20 ? origin : time
      changes.append(instant)
      last = instant
      return instant
    default:
      // Soon after a change before it, but at its own time if nothing was moving any more.
      let time = last.map { entry.time - $0 > 2 * interval ? entry.time : $0 + 10 } ?? entry.time
      let isStart = ["press", "scroll", "down", "update"].contains { entry.kind.hasPrefix($0) }
      if isStart { (origin, ticks) = (time, 0) }
      last = nil
      return time
    }
  }
}
