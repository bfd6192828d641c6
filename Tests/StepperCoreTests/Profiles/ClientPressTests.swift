import StepperConfiguration
import StepperCore
import Testing

/// What a client presses, turns and slides does exactly what the same input of a device does, with every profile.
@Suite struct ClientPressTests {
  /// The options of a control with this profile, which has a value that can go both ways.
  static func options(_ profile: Profile) -> String {
    let choices = #" choices=["a","b","c","d","e","f","g","h","i","j","k","l"]"#
    let isChoice = profile.value(of: .kind) == "\"choice\""
    return "profile=\(profile.name)" + (isChoice ? choices : " minimum=0 maximum=1000 initial=40")
  }

  /// All that a gesture leads to: when, to what value, and whether a gesture is in progress.
  private static func told(_ bench: Bench) -> [[String]] {
    bench.told.map { state in
      ["\(state.time.nanoseconds)", "\(state.value.map { "\($0)" } ?? "unset")", "\(state.limit)"]
        + [state.isEditing, state.canIncrement, state.canDecrement].map { "\($0)" }
    }
  }

  static let buttons: [(button: Bench.Button, action: PressAction)] = [
    (.plus, .increment), (.minus, .decrement), (.pagePlus, .pageIncrement), (.pageMinus, .pageDecrement),
    (.toMaximum, .toMaximum), (.toMinimum, .toMinimum),
  ]

  @Test(arguments: Profile.builtIn.map(\.name), [20, 499, 1_070, 2_550, 12_000] as [Int64])
  func `a client's button steps as the button of a device`(_ name: String, _ duration: Int64) throws {
    let profile = try #require(Profile.builtIn.first { $0.name == name })
    for (button, action) in Self.buttons {
      var device = try Bench(Self.options(profile))
      try device.hold(button, from: 100, for: duration)
      device.wait(until: 20_000)
      var client = try Bench(Self.options(profile))
      client.press(action, hold: 1, at: 100)
      client.release(hold: 1, at: 100 + duration)
      client.wait(until: 20_000)
      #expect(Self.told(client) == Self.told(device), "\(action) of \(name)")
      #expect(client.told.allSatisfy { $0.editing != .device && $0.device == nil })
    }
  }

  @Test(arguments: Profile.builtIn.map(\.name))
  func `a second press is the control's, whichever hand it is`(_ name: String) throws {
    let profile = try #require(Profile.builtIn.first { $0.name == name })
    var device = try Bench(Self.options(profile))
    try device.press(.plus, at: 0)
    try device.press(.minus, at: 700)
    try device.release(.plus, at: 1_400)
    try device.release(.minus, at: 2_000)
    device.wait(until: 5_000)
    for isClientFirst in [true, false] {
      var mixed = try Bench(Self.options(profile))
      if isClientFirst { mixed.press(.increment, hold: 1, at: 0) } else { try mixed.press(.plus, at: 0) }
      if isClientFirst { try mixed.press(.minus, at: 700) } else { mixed.press(.decrement, hold: 2, at: 700) }
      if isClientFirst { mixed.release(hold: 1, at: 1_400) } else { try mixed.release(.plus, at: 1_400) }
      if isClientFirst { try mixed.release(.minus, at: 2_000) } else { mixed.release(hold: 2, at: 2_000) }
      mixed.wait(until: 5_000)
      #expect(mixed.changes == device.changes, "\(name), the client \(isClientFirst ? "first" : "second")")
    }
  }

  @Test(arguments: Profile.builtIn.map(\.name))
  func `a client's knob and fader move as those of a device`(_ name: String) throws {
    let profile = try #require(Profile.builtIn.first { $0.name == name })
    var (device, client) = (try Bench(Self.options(profile)), try Bench(Self.options(profile)))
    for (time, detents) in [(0, 1), (40, 3), (400, -2), (1_000, 200)] as [(Int64, Int32)] {
      try device.turn(detents, at: time)
      client.turnByClient(Int64(detents), at: time)
    }
    device.wait(until: 2_000)
    client.wait(until: 2_000)
    #expect(Self.told(client) == Self.told(device))
    for (time, position) in [(2_000, 0), (2_100, 333), (2_200, 1_000)] as [(Int64, Int32)] {
      try device.slide(position, at: time)
      client.slide(hold: 1, Int64(position) * (Input.faderTravel / 1_000), at: time)
    }
    device.wait(until: 3_000)
    client.release(hold: 1, at: 3_000)
    #expect(client.values == device.values)
  }

  /// The figures of the platforms that the profiles are of.
  @Test(
    arguments: [
      ("uikit", 2_550, 10), ("appkit", 1_050, 7), ("winui", 1_015, 17), ("gtk", 1_220, 16),
      ("material", 1_070, 11),
      ("material/wear", 1_070, 10), ("material/wear", 80, 1), ("rpvertical", 1_250, 3),
    ] as [(String, Int64, Int)])
  func `a client's hold makes as many steps as on the platform`(
    _ name: String, _ duration: Int64, _ count: Int
  ) throws {
    var bench = try Bench("profile=\(name) minimum=0 maximum=1000 initial=40")
    bench.press(.increment, hold: 1, at: 0)
    bench.release(hold: 1, at: duration)
    bench.wait(until: 20_000)
    #expect(bench.changes.count == count)
  }

  @Test func `a hold is told from what was refused and what has ended`() throws {
    var bench = try Bench("profile=gtk maximum=100")
    bench.press(.increment, hold: 1, at: 0)
    #expect(bench.isHeld(1) && !bench.isHeld(2))
    // GTK: the second press ends the hold and is none itself.
    bench.press(.decrement, hold: 2, at: 100)
    #expect(!bench.isHeld(1) && !bench.isHeld(2))
    bench.release(hold: 1, at: 200)
    bench.release(hold: 2, at: 200)
    bench.slide(hold: 3, 500_000, at: 300)
    #expect(bench.isHeld(3))
    // The name of a fader presses nothing.
    bench.press(.increment, hold: 3, at: 400)
    bench.release(hold: 3, at: 500)
    #expect(!bench.isHeld(3) && bench.value == 50)
  }
}
