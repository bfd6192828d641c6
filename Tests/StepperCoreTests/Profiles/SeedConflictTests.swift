import Glibc
import StepperConfiguration
import StepperCore
import StepperText
import Testing

/// Where the documents and the real controls differ, one is the default and the other an option: both can be
/// configured.
@Suite struct SeedConflictTests {
  @Test(arguments: try VectorRow.table("seed_conflicts", ""))
  func `the default and the option can both be configured`(_ row: VectorRow) throws {
    let topic = try #require(row["topic"].string)
    let check = try #require(Self.values[topic] ?? Self.ranges[topic] ?? Self.texts[topic], "\(topic)")
    try check()
  }

  private typealias Checks = [String: @Sendable () throws -> Void]

  private static let values: Checks = [
    "NSStepper valueWraps default": { () throws in
      #expect(try tapped("appkit", "initial=59") == 59)
      #expect(try tapped("appkit", "initial=59 wraps") == 0)
    },
    "NSStepper first step": { () throws in
      #expect(try held("appkit", for: 700) == [0, 500, 600, 700])
      #expect(try held("appkit/gnustep", for: 700) == [600, 700])
      #expect(
        try held("appkit", "first-step=release repeat=600ms/125ms", for: 730) == [600, 725, 730])
    },
    "NSStepper wrap landing": { () throws in
      #expect(try tapped("appkit", "maximum=10 step=2 initial=10 wraps") == 0)
      #expect(try tapped("appkit", "maximum=10 step=2 initial=10 wraps wrap-landing=modular") == 1)
      #expect(try tapped("appkit/gnustep", "maximum=10 step=2 initial=10") == 1)
    },
    "NSStepper at limit": { () throws in
      var bench = try Bench("profile=appkit initial=59")
      try bench.hold(.plus, for: 2_000)
      #expect(bench.told.isEmpty && !bench.state.canIncrement)
      bench = try Bench("profile=appkit initial=59 at-limit=fire limit-buttons=live")
      try bench.hold(.plus, for: 700)
      #expect(bench.told.map(\.value) == [59, 59, 59, 59, 59] && bench.state.canIncrement)
    },
    "UIStepper repeat rate": { () throws in
      #expect(try held("uikit", for: 10_000).count == 85)
      #expect(try held("uikit/observed", for: 10_000).count == 141)
    },
    "GtkSpinButton adjustment defaults": { () throws in
      let settings = try Bench("profile=gtk").settings
      #expect(settings.minimumValue == 0 && settings.maximumValue == 100)
      #expect(settings.stepValue == 1 && settings.pageIncrement == 10 && settings.feel.climb.rate == 0)
      #expect(try Bench("profile=gtk/adw").settings.feel.climb.rate == 1)
      #expect(try Bench("profile=gtk step=5").settings.pageIncrement == 50)
    },
    "GtkSpinButton wrap": { () throws in
      #expect(try tapped("gtk", "maximum=10 step=2 initial=9 wraps") == 10)
      #expect(try tapped("gtk", "maximum=10 step=2 initial=9 wraps wrap-when=exceed") == 0)
    },
    "GtkSpinButton snap_to_ticks": { () throws in
      for (option, values) in [("true", [4, 6]), ("always", [3, 6])] as [(String, [FixedPoint?])] {
        var bench = try Bench("profile=gtk maximum=10 step=3 snap-to-ticks=\(option)")
        bench.set(4)
        try bench.tap(.plus)
        #expect(bench.values == values)
      }
    },
    "GtkSpinButton keys": { () throws in
      var bench = try Bench("profile=gtk/keys initial=50")
      for (index, button) in Bench.Button.allCases.enumerated() {
        try bench.tap(button, at: Int64(index) * 100)
      }
      #expect(bench.values == [51, 50, 60, 50, 100, 0])
    },
    "GTK at limit while held": { () throws in
      for (profile, values) in [("gtk", [1, 2]), ("gtk/gtk3", [1, 2, 3, 4])] as [(String, [FixedPoint?])] {
        var bench = try Bench("profile=\(profile) maximum=2")
        try bench.press(.plus)
        bench.adjust(maximum: 4, at: 1_000)
        bench.wait(until: 2_000)
        #expect(bench.values == values)
      }
    },
    "Android": { () throws in
      #expect(try held("material", for: 600) == [0, 500, 560])
      #expect(try held("material/wear", for: 600) == [500, 560])
      #expect(try tapped("material", "step=7 initial=3") == 10)
      #expect(try tapped("material/wear", "step=7 initial=3") == 7)
    },
  ]

  private static let ranges: Checks = [
    "UIStepper min>max": { () throws in
      for (option, bounds) in [
        ("", [200, 200]), ("range-conflict=refuse", [200, 300]), ("range-conflict=last-writer", [100, 100]),
      ] as [(String, [FixedPoint?])] {
        var bench = try Bench("profile=uikit minimum=200 maximum=300 \(option)")
        bench.adjust(maximum: 100)
        #expect([bench.minimum, bench.maximum] == bounds)
      }
    },
    // Both mean that there is no end.
    "NumberBox Minimum/Maximum defaults": { () throws in
      let bench = try Bench("profile=winui", hasEnds: false)
      #expect(bench.minimum == nil && bench.maximum == nil)
    },
    "RPVerticalStepper defaults": { () throws in
      #expect(try tapped("rpvertical", "initial=97 step=5") == 97)
      for (profile, value) in [("rpvertical", 2), ("rpvertical/runaway", 4)] as [(String, FixedPoint)] {
        var bench = try Bench("profile=\(profile)")
        try bench.press(.plus)
        bench.unplug(at: 100)
        bench.wait(until: 1_200)
        #expect(bench.value == value)
      }
    },
    "UISlider vs UIStepper when min>max": { () throws in
      for (profile, maximum) in [("uikit", 0), ("slider", -2)] as [(String, FixedPoint)] {
        var bench = try Bench("profile=\(profile)")
        bench.adjust(maximum: -2)
        #expect(bench.maximum == maximum && bench.minimum == maximum)
      }
    },
  ]

  private static let texts: Checks = [
    "NumberBox NumberFormatter default": { () throws in
      let bench = try Bench("profile=winui initial=12345678901", hasEnds: false)
      #expect(bench.text == "12345678900")
      #expect(try Bench("profile=winui initial=1.5", hasEnds: false).text == "1.5")
    },
    "NumberBox live region": { () throws in
      let profile = try #require(Profile.builtIn.first { $0.name == "winui" })
      #expect(profile.value(of: .announce) == "\"polite\"")
      _ = try Bench("profile=winui announce=off", hasEnds: false)
    },
    "NumberBox expressions \"standard order of operations\"": { () throws in
      #expect(try read("2^3^2", "profile=winui expressions=true") == .number(64))
      #expect(try read("-2^2", "profile=winui expressions=true") == .number(4))
      #expect(try read("2^3^2", "profile=winui expressions=conventional") == .number(512))
      #expect(try read("-2^2", "profile=winui expressions=conventional") == .number(-4))
    },
    "NumberBox 1 / 0": { () throws in
      #expect(try read("1 / 0", "profile=winui expressions=true") == .unset)
      #expect(try read("1 / 0", "profile=winui expressions=true divide-by-zero=refuse").isRefused)
    },
    "GtkSpinButton update policy": { () throws in
      #expect(try read("12abc", "profile=gtk") == .number(12))
      #expect(try read("12abc", "profile=gtk update-policy=if-valid").isRefused)
    },
  ]

  private static func tapped(_ profile: String, _ options: String) throws -> FixedPoint? {
    var bench = try Bench("profile=\(profile) \(options)")
    try bench.tap(.plus)
    return bench.value
  }

  private static func held(_ profile: String, _ options: String = "", for duration: Int64) throws -> [Int64] {
    var bench = try Bench("profile=\(profile) maximum=100000 \(options)")
    try bench.hold(.plus, for: duration)
    return bench.times
  }

  private static func read(_ text: String, _ options: String) throws -> TextReading {
    let settings = try Bench(options, hasEnds: !options.contains("winui")).settings
    return settings.textRules.read(text, digits: settings.digits)
  }
}
