import FoundationEssentials
import StepperInterfaces
import TestSupport
import Testing
import Varlink

/// Choices, toggles, buttons and values that may be unset, through the real daemon.
@Suite(.timeLimit(.minutes(10)))
struct KindTests {
  static let configuration = """
    [device.panel]
    virtual = true
    [control.input]
    title = { en = "Input", de = "Eingang" }
    choices = ["aux", "phono", "usb"]
    initial = "phono"
    wraps = true
    rotate = "panel:dial"
    [control.mute]
    kind = "toggle"
    push = "panel:push"
    [control.bell]
    kind = "button"
    push = "panel:plus"
    [control.price]
    profile = "winui"
    minimum = 0
    maximum = 100
    expressions = true
    unit = "€"
    """

  private typealias Interface = ControlInterface

  private func set(
    _ client: WireClient, _ control: String, _ text: String
  ) throws -> Result<Interface.State, VarlinkFailure> {
    try client.send(Interface.Set.self, .init(control: control, text: text))
    let reply = try client.reply()
    if let failure = reply.failure { return .failure(failure) }
    return .success(try reply.decode(Interface.Set.Reply.self).state)
  }

  @Test func `a choice is text in and text out, wraps, and lists what it knows`() throws {
    let daemon = try RunningDaemon(Self.configuration)
    let client = try daemon.client()
    let first = try client.state(of: "input")
    #expect(first.text == "phono" && first.value == 1)
    #expect(try set(client, "input", "usb").get().value == 2)
    try client.turn(1)
    let state = try client.state(of: "input")
    #expect(state.text == "aux" && state.origin == .device && state.canDecrement && state.canIncrement)
    guard case .failure(let failure) = try set(client, "input", "tape") else {
      Issue.record("an unknown option was taken")
      return
    }
    let unknown = try #require(failure.decode(Interface.NoSuchValue.self))
    #expect(unknown.choices == ["aux", "phono", "usb"])
    let list = try client.call(Interface.List.self, .init(match: "input")).controls
    #expect(list.map(\.description.kind) == [.choice] && list.map(\.description.profile) == ["picker"])
    #expect(list.first?.description.titles == ["en": "Input", "de": "Eingang"])
    #expect(list.first?.description.title == "Input")
  }

  @Test func `a toggle flips at each press and takes on and off`() throws {
    let daemon = try RunningDaemon(Self.configuration)
    let client = try daemon.client()
    try client.press("push")
    let on = try client.state(of: "mute")
    #expect(on.text == "on" && on.value == 1 && on.pressed && on.presses == 1)
    try client.release("push")
    #expect(try client.state(of: "mute").text == "on")
    #expect(try set(client, "mute", "off").get().text == "off")
    guard case .failure(let failure) = try set(client, "mute", "maybe") else {
      Issue.record("a toggle took 'maybe'")
      return
    }
    #expect(failure.decode(Interface.NoSuchValue.self)?.choices == ["off", "on"])
  }

  @Test func `a button follows its input and is written by nobody`() throws {
    let daemon = try RunningDaemon(Self.configuration)
    let client = try daemon.client()
    #expect(try client.state(of: "bell").text == "off")
    try client.press("plus")
    let down = try client.state(of: "bell")
    #expect(down.value == 1 && down.pressed && down.presses == 1 && !down.canIncrement)
    try client.release("plus")
    #expect(try client.state(of: "bell").value == 0)
    let failure = try client.failure(Interface.Set.self, .init(control: "bell", value: 1))
    #expect(failure == Interface.NotWritable.name)
  }

  @Test(arguments: [
    ("2*(10+5)", 30.0, "30"), ("12.5 €", 12.5, "12.5"), (" 7 ", 7, "7"), ("2^3^2", 64, "64"),
    ("150", 100, "100"),
    ("10^400", 100, "100"), ("", nil, nil), ("1/0", nil, nil),
  ])
  func `a text is read by the control's rules`(text: String, value: Double?, shown: String?) throws {
    let daemon = try RunningDaemon(Self.configuration)
    let client = try daemon.client()
    #expect(try client.state(of: "price").value == nil)
    let taking = try client.call(Interface.List.self, .init()).controls.filter {
      $0.description.expressions == true
    }
    #expect(taking.map(\.description.control) == ["price"])
    #expect(try set(client, "price", "1").get().value == 1)
    let state = try set(client, "price", text).get()
    #expect(state.value == value && state.text == shown)
    #expect(state.canIncrement == (value.map { $0 < 100 } ?? false))
  }

  @Test(arguments: [
    ("F", "0x1F", 31.0), ("F", "20F", 20), ("F", "20 F", 20), ("0", "10", 10), ("0", "10 0", 10),
    ("e1", "2e1", 20), ("n", "12n", 12), ("1/min", "51/min", 51), ("1/min", "5 1/min", 5), ("%", "42%", 42),
  ])
  func `a unit does not eat the end of a number`(unit: String, text: String, value: Double) throws {
    let daemon = try RunningDaemon("[control.c]\nprofile = \"gtk\"\nunit = \"\(unit)\"\n")
    #expect(try set(try daemon.client(), "c", text).get().value == value)
  }

  @Test func `a text that cannot be read is refused with the reason, and nothing changes`() throws {
    let daemon = try RunningDaemon(Self.configuration)
    let client = try daemon.client()
    _ = try set(client, "price", "5").get()
    guard case .failure(let failure) = try set(client, "price", "9 - * 7") else {
      Issue.record("nonsense was taken")
      return
    }
    let problem = try #require(failure.decode(Interface.NoSuchValue.self)?.problem)
    #expect(problem == #"expected a number or "(" at character 5, found "*""#)
    #expect(try client.state(of: "price").value == 5)
  }

  @Test func `unset is remembered over a restart`() throws {
    let folder = try TemporaryFolder()
    for text in ["5", ""] {
      let daemon = try RunningDaemon(Self.configuration, in: folder)
      let client = try daemon.client()
      _ = try set(client, "price", text).get()
      try daemon.stop()
      let again = try RunningDaemon(Self.configuration, in: folder)
      let state = try again.client().state(of: "price")
      #expect(state.value == Double(text) && state.origin == (text.isEmpty ? .startup : .restored))
      try again.stop()
    }
  }
}
