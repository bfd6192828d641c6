import Glibc
import StepperCore
import StepperText
import Testing

/// GtkSpinButton's keys: the profile gtk/keys, whose buttons are Up, Down, PageUp, PageDown and the same with
/// Ctrl. X repeats a key 30 times a second; a button of ours repeats by the control's own schedule.
@Suite struct GtkKeyboardTests {
  @Test(arguments: try VectorRow.table("gtk4_keyboard", "ideal_key_events"))
  func `every event of a key counts for the climb`(_ row: VectorRow) throws {
    let options = try [
      pair("step", row["step"]), pair("page", row["page"]), pair("climb-rate", row["climb"]),
    ]
    let values = row["values_per_event"].elements
    var bench = try Bench("profile=gtk/keys maximum=1000 \(options.joined(separator: " "))")
    try bench.hold(.plus, for: 500 + Int64(values.count - 2) * 33)
    #expect(bench.values == (try values.map { try rounded($0) }))
  }

  /// A key is held, let go, and tapped once.
  @Test(
    arguments: try VectorRow.table("gtk4_keyboard", "cases").filter {
      $0["note"].string?.contains("held") ?? false
    })
  func `a key moves the value as in GTK`(_ row: VectorRow) throws {
    let rules: [String: (button: Bench.Button, options: String)] = [
      "up_hold": (.plus, "maximum=1000"), "down_tap": (.minus, "initial=50 maximum=1000 step=2 page=10"),
      "pgdn": (.pageMinus, "initial=50 maximum=1000 step=2 page=10"),
      "ctrl_pgdn": (.toMinimum, "initial=50 minimum=3 maximum=1000 step=2 page=10"),
      "up_wrap": (.plus, "initial=99 step=2 page=10 wraps"),
    ]
    let (button, options) = try #require(rules[row["name"].string ?? ""])
    let log = try row["log"].elements.map(LogEntry.init)
    var bench = try Bench("profile=gtk/keys \(options)")
    let up = try #require(log.first { $0.kind == "up" }).time
    try bench.hold(button, for: up)
    try bench.tap(button, at: up + 100)
    #expect(bench.values == log.filter { $0.kind == "v" }.map(\.value))
    for (time, entry) in zip(bench.times, log.filter { $0.kind == "v" }) {
      // 33 ms here, a thirtieth of a second there.
      #expect(abs(time - entry.time) <= 20)
    }
    #expect(log.contains { $0.kind == "wrapped" } == options.contains("wraps"))
    #expect(bench.value == log.last?.value)
  }

  /// Characters that are typed one by one are a client's; it sends the text whole when it is committed.
  @Test(
    arguments: try VectorRow.table("gtk4_keyboard", "cases").filter {
      $0["note"].string?.hasPrefix("[") ?? false
    })
  func `a text is committed at once`(_ row: VectorRow) throws {
    let keys = try #require(row["note"].string).split(separator: "'").map(String.init).filter {
      $0.count == 1
    }
    var bench = try Bench("profile=gtk initial=5")
    let text = keys.filter { (key: String) in ("a"..."z").contains(key) || ("0"..."9").contains(key) }
      .joined()
    let reading = bench.settings.textRules.read(text, digits: 0)
    bench.set(reading.value(in: 0...100, from: 5, .always), isText: true)
    let log: [LogEntry] = try row["log"].elements.map(LogEntry.init)
    #expect(bench.values == log.filter { $0.kind == "v" }.map(\.value))
  }

  /// Every event of a key commits the text and snaps, before and after its step.
  @Test func `a repeated key commits and snaps each time`() throws {
    var bench = try Bench("profile=gtk/keys step=0.1 digits=0")
    try bench.hold(.plus, for: 600)
    #expect(bench.values == [FixedPoint(units: 1, digits: 1)])
    bench = try Bench("profile=gtk/keys maximum=10 step=3 climb-rate=1 climb-every=2 snap-to-ticks=key")
    try bench.hold(.plus, for: 560)
    // 3, 6, 10 → 9, 13 → 10 → 9.
    #expect(bench.values == [3, 6, 9])
  }
}
