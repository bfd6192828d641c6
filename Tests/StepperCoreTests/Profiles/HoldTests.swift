import StepperCore
import Testing

/// A button of each profile, held for ten seconds: the instants of all changes.
@Suite struct HoldTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var profile: String
    var count: Int
    var vector: (file: String, path: String)

    var testDescription: String { profile }

    func ideal() throws -> [Int64] {
      let list = try VectorRow.row(vector.file, vector.path)
      return try list.elements.map { row in
        Int64(try #require(row.int ?? row.elements.first?.int))
      }
    }
  }

  static let cases: [Case] = [
    Case(profile: "uikit", count: 85, vector: ("uistepper_timelines", "seed.times_ms")),
    Case(profile: "uikit/observed", count: 141, vector: ("uistepper_timelines", "observed.times_ms")),
    Case(profile: "appkit", count: 97, vector: ("nsstepper_appkit_doc", "hold_10s.steps")),
    Case(profile: "winui", count: 289, vector: ("numberbox_hold_timeline", "nominal_times_ms")),
    Case(profile: "rpvertical", count: 21, vector: ("rpverticalstepper", "hold_10s.times_ms")),
    Case(profile: "rpvertical/runaway", count: 21, vector: ("rpverticalstepper", "hold_10s.times_ms")),
    Case(
      profile: "material/wear", count: 159, vector: ("android_m3_stepper", "wear_compose.hold_10s.times_ms")),
  ]

  @Test(arguments: cases)
  func `ten seconds of a profile change the value when the original does`(_ hold: Case) throws {
    let times = try play(hold.profile)
    #expect(times == (try hold.ideal()))
    #expect(times.count == hold.count)
  }

  /// `gtk4_hold_timeline` has the list as rows of a case.
  @Test(arguments: ["gtk", "gtk/gtk3"])
  func `ten seconds of GtkSpinButton change the value when the original does`(_ profile: String) throws {
    let rows = try VectorRow.row("gtk4_hold_timeline", "cases")["ideal"].elements
    let times = try play(profile)
    #expect(times == rows.compactMap { $0.elements.first?.int.map(Int64.init) })
    #expect(times.count == 192)
  }

  /// 600 ms and then every 125 ms, and once more at the release; the vector's list ends after three seconds.
  @Test func `ten seconds of GNUstep's NSStepper are 76 changes and one at the release`() throws {
    let list = try VectorRow.row("nsstepper_gnustep", "hold.ideal_step_times_ms").elements.compactMap(\.int)
    let times = try play("appkit/gnustep")
    #expect(times.prefix(list.count).map(Int.init) == list)
    #expect(times == stride(from: 600, through: 10_000, by: 125) + [10_000])
    #expect(times.count == 76 + 1)
  }

  /// 500 ms and then every 60 ms, with a step at the press.
  @Test func `ten seconds of the material profile begin at the press`() throws {
    let wear = try VectorRow.row("android_m3_stepper", "wear_compose.hold_10s.times_ms").elements
    let recommended = try vector("android_m3_stepper")["recommended_default"]
    #expect(recommended["initial_ms"] == .number(500) && recommended["repeat_ms"] == .number(60))
    #expect(recommended["first"] == .string("press"))
    #expect(try play("material") == [0] + wear.compactMap { $0.int.map(Int64.init) })
  }

  /// Each step of these is the same; what the vectors count besides.
  @Test func `the counts of the vectors are those of their lists`() throws {
    for (file, path, count) in [
      ("uistepper_timelines", "seed.count_10s", 85), ("uistepper_timelines", "observed.count_10s", 141),
      ("nsstepper_appkit_doc", "hold_10s.count", 97), ("numberbox_hold_timeline", "count_10s", 289),
      ("rpverticalstepper", "hold_10s.count", 21), ("android_m3_stepper", "wear_compose.hold_10s.count", 159),
    ] { #expect(try VectorRow.row(file, path).int == count) }
  }

  /// Its phases, which the list was computed by.
  @Test func `uikit/observed has the phases that people saw`() throws {
    let phases = try vector("uistepper_timelines")["observed"]["phases"].elements
    let times = try VectorRow.row("uistepper_timelines", "observed.times_ms").elements.compactMap(\.int)
    for (from, to) in zip(times, times.dropFirst()) {
      let phase = try #require(phases.first { $0["until_ms"].int.map { to <= $0 } ?? true })
      #expect(to - from == phase["every_ms"].int)
    }
  }

  @Test func `another interval of RPVerticalStepper is its first delay too`() throws {
    let row = try VectorRow.row("rpverticalstepper", "hold_interval_0_1")
    #expect(row["autoRepeatInterval"].double == 0.1)
    var bench = try Bench("profile=rpvertical repeat=100ms/100ms")
    try bench.hold(.plus, for: 1_000)
    #expect(bench.times.map(Int.init) == row["times_ms"].elements.compactMap(\.int))
  }

  /// Before the first repeat there is one change, at the press or at the release.
  @Test(arguments: [
    ("uikit", 0), ("uikit/observed", 0), ("appkit", 0), ("appkit/gnustep", 499), ("winui", 0), ("gtk", 0),
    ("gtk/gtk3", 0), ("gtk/keys", 0), ("gtk/adw", 0), ("material", 0), ("material/wear", 499),
    ("rpvertical", 0), ("rpvertical/runaway", 0),
  ])
  func `a tap is one change`(_ profile: String, _ time: Int64) throws {
    #expect(try play(profile, for: 499) == [time])
  }

  private func play(_ profile: String, for duration: Int64 = 10_000) throws -> [Int64] {
    let isOpen = profile.hasPrefix("winui")
    var bench = try Bench(
      "profile=\(profile) " + (isOpen ? "initial=0" : "maximum=100000"), hasEnds: !isOpen)
    try bench.hold(.plus, for: duration)
    bench.wait(until: duration + 5_000)
    return bench.times
  }
}
