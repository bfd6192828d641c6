import StepperConfiguration
import StepperCore
import Testing

/// The built-in profiles have the parameters of `profiles.json`.
@Suite struct ProfileParameterTests {
  /// What the vector's words are in the configuration.
  private static let words: [String: [(key: OptionKey, value: String)]] = [
    "press": [(.firstStep, "\"press\"")],
    "press (autorepeat) / release (no autorepeat)": [
      (.firstStep, "\"press\""), (.singleStep, "\"release\""),
    ],
    "clamp": [(.partialStep, "\"clamp\"")], "refuse": [(.partialStep, "\"refuse\"")],
    "clamp (phone, assumption) / grid (wear)": [(.partialStep, "\"clamp\"")],
    "none": [(.wraps, "false")],
    "opposite-limit": [(.wrapLanding, "\"opposite\"")],
    "would-exceed": [(.wrapWhen, "\"exceed\"")],
    "already-at-limit (epsilon 1e-10)": [(.wrapWhen, "\"at-limit\"")],
    "value=min": [(.rangeConflict, "\"value-is-minimum\"")],
    "value=lower, arrows off": [(.rangeConflict, "\"value-is-minimum\"")],
    "last-writer-moves-the-other": [(.rangeConflict, "\"last-writer\"")],
    "raise": [(.rangeConflict, "\"refuse\"")],
    "minimum-wins": [(.rangeConflict, "\"minimum-wins\"")],
    "disable+stop": [(.atLimit, "\"end\""), (.limitButtons, "\"off\"")],
    "disable": [(.atLimit, "\"end\""), (.limitButtons, "\"off\"")],
    "keeps firing": [(.atLimit, "\"fire\""), (.limitButtons, "\"live\"")],
    "button off, timer keeps running": [(.atLimit, "\"pause\""), (.limitButtons, "\"off\"")],
    "timer keeps running, resumes if the limit moves": [(.atLimit, "\"pause\"")],
    "continuous": [(.continuous, "true")],
    "10 significant digits via text re-parse": [(.significantDigits, "10"), (.commit, "\"step\"")],
    "none, but a press commits the displayed text first": [(.commit, "\"press\"")],
    "unset, steps ignored": [(.unset, "true"), (.initial, "\"unset\"")],
    "1 small per event": [(.turns, "\"events\"")],
    // A button that nobody holds any more cannot be released outside.
    "continues": [(.lostRelease, "\"end\"")],
  ]

  @Test(arguments: [
    ("uikit", "uikit"), ("appkit", "appkit"), ("numberbox", "winui"), ("gtk4", "gtk"), ("gtk3", "gtk/gtk3"),
    ("rpvertical", "rpvertical"), ("android", "material"), ("uislider", "slider"),
  ])
  func `a profile has the parameters of the real thing`(_ name: String, _ profile: String) throws {
    let parameters = try VectorRow.row("profiles", "profiles")[name]
    // Tested by themselves; the rounding of the first is a double's.
    let others = ["repeat", "keys", "wheel", "no_repeat", "precision", "like"]
    for (key, value) in parameters.members where !others.contains(key) && value != .string("none") {
      // Of several, the first is the default.
      let first =
        value.elements.first?.string ?? value["seed"].string ?? value["landing"].string ?? value.string
      let word = try #require(first?.replacing("focused only, ", with: ""))
      try check(profile, #require(Self.words[word], "\(key): \(word)"))
    }
    if parameters["wrap"] == .string("none") { try check(profile, [(.wraps, "false")]) }
  }

  private func check(_ profile: String, _ values: [(key: OptionKey, value: String)]) throws {
    let profile = try #require(Profile.builtIn.first { $0.name == profile })
    for (key, value) in values { #expect(profile.value(of: key) == value, "\(profile.name): \(key)") }
  }

  @Test(arguments: [
    ("uikit", "uikit", "seed"), ("uikit/observed", "uikit", "observed"), ("appkit", "appkit", "documented"),
    ("appkit/gnustep", "appkit", "gnustep"), ("winui", "numberbox", ""), ("gtk", "gtk4", ""),
    ("rpvertical", "rpvertical", ""), ("material", "android", ""), ("material/wear", "android", ""),
  ])
  func `a profile repeats as the real thing`(_ profile: String, _ name: String, _ variant: String) throws {
    let parameters = try VectorRow.row("profiles", "profiles")[name]["repeat"]
    let times = variant.isEmpty ? parameters : parameters[variant]
    let schedule = try Bench("profile=\(profile)", hasEnds: profile != "winui").settings.feel.repeatSchedule
    guard !times.elements.isEmpty else {
      #expect(schedule.delay == .milliseconds(times["delay"].int ?? 0))
      #expect(schedule.interval(at: .seconds(1)) == .milliseconds(times["interval"].int ?? 0))
      return
    }
    // Each phase lasts until the time at its end.
    var from = 0
    for phase in times.elements.map(\.elements) {
      #expect(schedule.interval(at: .milliseconds(from)) == .milliseconds(phase[0].int ?? 0))
      from = phase.last?.int ?? from
    }
  }

  @Test func `the variants differ as they should`() throws {
    try check("appkit", [(.wraps, "false"), (.wrapLanding, "\"opposite\"")])
    try check(
      "appkit/gnustep",
      [
        (.firstStep, "\"release\""), (.wraps, "true"), (.wrapLanding, "\"modular\""), (.atLimit, "\"fire\""),
        (.limitButtons, "\"live\""),
      ])
    try check("material/wear", [(.partialStep, "\"grid\""), (.firstStep, "\"tap\"")])
    try check("slider", [(.autorepeat, "false"), (.rangeConflict, "\"last-writer\"")])
    try check("rpvertical/runaway", [(.lostRelease, "\"run-on\"")])
    try check("gtk", [(.climbEvery, "6"), (.climbAfter, "2"), (.climbRate, "0")])
  }

  /// What a profile does not say is said by its base.
  @Test func `gtk3 is like gtk4`() throws {
    let profiles = try ["gtk", "gtk/gtk3"].map { name in
      try #require(Profile.builtIn.first { $0.name == name })
    }
    #expect(try VectorRow.row("profiles", "profiles")["gtk3"]["like"].string == "gtk4")
    let differing = OptionKey.allCases.filter { profiles[0].value(of: $0) != profiles[1].value(of: $0) }
    #expect(differing == [.atLimit, .limitButtons])
  }
}
