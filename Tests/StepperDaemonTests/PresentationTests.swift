import StepperInterfaces
import TestSupport
import Testing
import Varlink

/// What a program that draws controls and speaks them is told of them.
@Suite(.timeLimit(.minutes(10)))
struct PresentationTests {
  private static let configuration = """
    [device.panel]
    virtual = true
    [profile.mine]
    base = "gtk/gtk3"
    [profile.mine-too]
    base = "mine"
    continuous = false
    autorepeat = false
    [control.gain]
    profile = "mine-too"
    title = { en = "Gain", de = "Verstärkung" }
    subtitle = { en = "Main amplifier", de = "Hauptverstärker" }
    group = { name = "sound", title = { en = "Sound", de = "Klang" } }
    unit = "dB"
    digits = 1
    precision = 3
    numeric = true
    rotate = "panel:dial"
    [control.off]
    profile = "winui"
    enabled = false
    unset = true
    subtitle = "Not in use"
    """

  @Test func `descriptions tell what is needed to draw a control`() throws {
    let daemon = try RunningDaemon(Self.configuration)
    let controls = try daemon.client().call(ControlInterface.List.self, .init()).controls
    let (gain, off) = (controls[0].description, controls[1].description)
    #expect(gain.profile == "mine-too" && gain.family == "gtk/gtk3")
    #expect(gain.subtitle == "Main amplifier")
    #expect(gain.subtitles == ["en": "Main amplifier", "de": "Hauptverstärker"] && gain.group == "sound")
    #expect(gain.groupTitle == "Sound" && gain.groupTitles == ["en": "Sound", "de": "Klang"])
    #expect(gain.groupTitle(for: ["de-AT"]) == "Klang" && gain.groupTitle(for: ["fr"]) == "Sound")
    #expect(gain.enabled == true && gain.mayBeUnset == false && gain.numeric == true)
    #expect(gain.autorepeat == false && gain.continuous == false && gain.precision == 3)
    #expect(gain.digits == 1 && gain.spoken == false)
    #expect(off.family == "winui" && off.enabled == false && off.mayBeUnset == true)
    #expect(off.subtitle == "Not in use" && off.subtitles == nil && off.group == nil)
    #expect(off.groupTitle == nil && off.groupTitles == nil && off.groupTitle(for: ["de"]) == nil)
  }

  @Test func `a subscription tells what a screen reader says, in its language`() throws {
    let daemon = try RunningDaemon(Self.configuration)
    let (plain, spoken, client) = (try daemon.client(), try daemon.client(), try daemon.client())
    try plain.subscribe()
    try spoken.send(
      ControlInterface.Subscribe.self, .init(match: ["gain"], descriptions: true, language: "de"))
    let snapshot = try spoken.next()
    let first = try #require(snapshot.accessibility?.first)
    #expect(snapshot.states.map(\.control) == ["gain"] && snapshot.descriptions?.count == 1)
    #expect(first.control == "gain" && first.style == .gtk && first.label == "Verstärkung")
    #expect(first.value == "0.0 dB")
    try client.call(ControlInterface.Set.self, .init(control: "gain", value: 12.5))
    let change = try spoken.next()
    #expect(change.states.map(\.text) == ["12.5"] && change.descriptions == nil)
    let described = try client.call(
      ControlInterface.Describe.self, .init(control: "gain", language: "de"))
    #expect(change.accessibility == [described.accessibility])
    #expect(try plain.next().accessibility == nil && plain.next().accessibility == nil)
    // With an interval, the latest words of the latest state.
    let slow = try daemon.client()
    try slow.send(
      ControlInterface.Subscribe.self,
      .init(match: ["gain"], minimumIntervalMilliseconds: 200, language: "en"))
    _ = try slow.next()
    for value in 20...40 {
      try client.call(ControlInterface.Set.self, .init(control: "gain", value: Double(value)))
    }
    var last: ControlInterface.Subscribe.Reply?
    while last?.states.first?.value != 40 { last = try slow.next() }
    #expect(last?.accessibility?.map(\.value) == ["40.0 dB"] && last?.accessibility?.first?.label == "Gain")
  }

  @Test func `the longest snapshot with words keeps to its limit, and has all of them`() throws {
    let title = String(repeating: "\\\"", count: 128)
    let names = (0..<256).map { "\(1_000 + $0)" + String(repeating: "n", count: 60) }
    let text = names.map { name in
      """
      [control.\(name)]
      title = { de = "\(title)", en = "\(title)" }
      subtitle = { de = "\(title)", en = "\(title)" }
      group = "\(title)"
      unit = "\(String(repeating: "\\\"", count: 32))"
      profile = "winui"
      minimum = -999999999
      maximum = 999999999
      initial = -999999999
      digits = 6
      """
    }.joined(separator: "\n")
    let daemon = try RunningDaemon(text)
    let client = try daemon.client()
    try client.send(ControlInterface.Subscribe.self, .init(descriptions: true, language: "de"))
    let message = try #require(try client.message(within: 60))
    #expect(message.utf8.count <= 1 << 20)
    let reply = try VarlinkReply(decoding: message.utf8).decode(ControlInterface.Subscribe.Reply.self)
    #expect(reply.states.count == 256 && reply.descriptions?.count == 256)
    #expect(reply.accessibility?.count == 256)
  }
}
