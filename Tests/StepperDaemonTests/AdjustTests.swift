import Foundation
import StepperInterfaces
import TestSupport
import Testing
import Varlink

/// Ranges that change while running, gestures in progress, and what a screen reader says.
@Suite(.timeLimit(.minutes(10)))
struct AdjustTests {
  typealias Interface = ControlInterface

  @Test func `a range is adjusted until the next reload, and followers get a new snapshot`() throws {
    let daemon = try RunningDaemon()
    let (client, follower) = (try daemon.client(), try daemon.client())
    try follower.send(Interface.Subscribe.self, .init(descriptions: true))
    let first = try follower.next()
    let reply = try client.call(
      Interface.Adjust.self, .init(control: "volume", minimum: 10, maximum: 20, step: 2))
    #expect(reply.description.minimum == 10 && reply.description.maximum == 20 && reply.description.step == 2)
    #expect(reply.state.value == 10 && reply.state.limit == .minimum)
    let second = try follower.next()
    #expect(second.snapshot && second.instance != first.instance)
    #expect(second.descriptions?.first?.maximum == 20 && second.states.first?.value == 10)
    try client.call(ManagerInterface.Reload.self, NoParameters())
    #expect(try client.call(Interface.List.self, .init()).controls.first?.description.maximum == 100)
  }

  @Test func `a range that the control refuses is an error with what was asked for`() throws {
    let daemon = try RunningDaemon(
      "[device.panel]\nvirtual = true\n[control.c]\nprofile = \"rpvertical\"\nrotate = \"panel:dial\"")
    let client = try daemon.client()
    try client.send(Interface.Adjust.self, .init(control: "c", minimum: 100))
    #expect(try client.reply().failure?.decode(Interface.InvalidRange.self)?.minimum == 100)
    let step = try client.failure(Interface.Adjust.self, .init(control: "c", step: 0))
    #expect(step == Interface.InvalidRange.name)
    #expect(try client.call(Interface.List.self, .init()).controls.first?.description.minimum == 1)
  }

  @Test(arguments: [
    (Interface.Adjust.Parameters(control: "c", step: 0), "a step must be greater than 0"),
    (
      .init(control: "c", step: 0.5), "it keeps 0 decimal places; set precision in its configuration for more"
    ),
    (
      .init(control: "c", step: 1e-300),
      "it keeps 0 decimal places; set precision in its configuration for more"
    ),
    (
      .init(control: "c", page: 1.5), "it keeps 0 decimal places; set precision in its configuration for more"
    ),
    (
      .init(control: "fine", step: 0.25),
      "it keeps 1 decimal place; set precision in its configuration for more"
    ),
    (.init(control: "c", minimum: 1e30), "a number is too large"),
    (.init(control: "fine", maximum: 1e18), "a number is too large"),
    (.init(control: "src", minimum: 1), "it is a choice, whose range and steps are fixed"),
    (.init(control: "on", step: 1), "it is a toggle, whose range and steps are fixed"),
    (.init(control: "c", minimum: 100), "the minimum would exceed the maximum"),
  ])
  func `a range or a step that is refused comes with the reason`(
    parameters: Interface.Adjust.Parameters, problem: String
  ) throws {
    let daemon = try RunningDaemon(
      """
      [control.c]
      profile = "rpvertical"
      [control.fine]
      step = 0.5
      [control.src]
      choices = ["a", "b"]
      [control.on]
      kind = "toggle"
      """)
    let client = try daemon.client()
    let before = try client.call(Interface.List.self, .init()).controls
    try client.send(Interface.Adjust.self, parameters)
    let refused = try #require(try client.reply().failure?.decode(Interface.InvalidRange.self))
    #expect(refused.problem == problem)
    #expect(refused.step == parameters.step && refused.minimum == parameters.minimum)
    #expect(try client.call(Interface.List.self, .init()).controls == before)
    #expect(
      try client.call(Interface.Adjust.self, .init(control: "fine", minimum: 0.26, step: 1.5)).description
        .minimum == 0.3)
  }

  @Test func `subscribers see a gesture begin and end, and what the buttons could do`() throws {
    let daemon = try RunningDaemon(
      "[device.panel]\nvirtual = true\n[control.c]\nmaximum = 1\nincrement = \"panel:plus\"")
    let (client, follower) = (try daemon.client(), try daemon.client())
    try follower.subscribe()
    let before = try #require(try follower.next().states.first)
    #expect(!before.editing && before.canIncrement && !before.canDecrement)
    try client.press()
    let pressed = try #require(try follower.next().states.first)
    #expect(pressed.editing && pressed.value == 1 && !pressed.canIncrement && pressed.canDecrement)
    try client.release()
    let released = try #require(try follower.next().states.first)
    #expect(!released.editing && released.value == 1)
  }

  @Test(arguments: [
    ("uikit", "Loudness, 0, adjustable, Minimum value", Interface.AccessibilityRole.stepper),
    ("appkit", "Loudness, 0, stepper", .incrementor),
    ("winui", "Loudness Minimum0 Maximum10, spinner, 5", .spinner),
    ("gtk", "Loudness, 0, spin button", .spinner),
    (
      "slider",
      "Loudness: 13 percent. Adjustable. Swipe up or down with one finger to adjust the value.", .slider
    ),
  ])
  func `a screen reader says what it says on the platform`(
    profile: String, speech: String, role: Interface.AccessibilityRole
  ) throws {
    let own = ["winui": "minimum = 0\nmaximum = 10\ninitial = 5", "slider": "initial = 0.1349\ndigits = 2"]
    let daemon = try RunningDaemon(
      """
      [device.panel]
      virtual = true
      [control.c]
      profile = "\(profile)"
      title = { en = "Loudness", de = "Lautstärke" }
      rotate = "panel:dial"
      \(own[profile] ?? "")
      """)
    let client = try daemon.client()
    let reply = try client.call(Interface.Describe.self, .init(control: "c"))
    #expect(reply.accessibility.speech == speech && reply.accessibility.role == role)
    #expect(reply.accessibility.adjustable)
    #expect(reply.accessibility.announcement == (profile == "winui" ? .polite : .off))
    let german = try client.call(Interface.Describe.self, .init(control: "c", language: "de-AT"))
    #expect(german.accessibility.label.hasPrefix("Lautstärke"))
  }

  /// What was measured of a NumberBox: its name has the bounds that it was given.
  private struct BoxNames: Decodable {
    struct Row: Decodable {
      var name: String?
      var header: String?
      var min: Int?
      var max: Int?
      var expect: String
    }
    struct Accessibility: Decodable {
      var text_box_name: [Row]
    }
    var accessibility: Accessibility
  }

  @Test func `a NumberBox is named as it was measured`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../StepperCoreTests/Vectors/numberbox_coercion.json")
    let names = try JSONDecoder().decode(BoxNames.self, from: try Data(contentsOf: file))
    #expect(names.accessibility.text_box_name.count == 3)
    for row in names.accessibility.text_box_name {
      let bounds =
        (row.min.map { "minimum = \($0)\n" } ?? "") + (row.max.map { "maximum = \($0)\n" } ?? "")
      let daemon = try RunningDaemon(
        """
        [device.panel]
        virtual = true
        [control.c]
        profile = "winui"
        title = "\(row.name ?? row.header ?? "")"
        rotate = "panel:dial"
        \(bounds)
        """)
      let reply = try daemon.client().call(Interface.Describe.self, .init(control: "c"))
      #expect(reply.accessibility.label == row.expect)
    }
  }
}
