import StepperCore
import Testing
@testable import StepperConfiguration

@Suite struct `The knobs behind a broker` {
  private func load(_ tables: String) -> (remotes: [MQTTRemote]?, problems: [String]) {
    let text = "[mqtt]\nbroker = \"mqtt://localhost\"\n\(tables)\n"
    let (settings, problems) = MQTTSettings.load(Array(text.utf8), file: "s.toml")
    return (settings?.remotes, problems.map(\.description))
  }

  @Test func `are read in their order`() {
    let (remotes, problems) = load(
      """
      [mqtt.remote.kitchen-knob]
      topic = "zigbee2mqtt/Kitchen knob"
      kind = "ikea"
      hold-limit = "4s"

      [mqtt.remote.dial]
      topic = "zigbee2mqtt/küche/0x001788010d13248f"
      kind = "hue"
      """)
    #expect(problems == [])
    #expect(
      remotes == [
        MQTTRemote(
          name: "kitchen-knob", topic: "zigbee2mqtt/Kitchen knob", kind: .ikea, holdLimit: .seconds(4)),
        MQTTRemote(name: "dial", topic: "zigbee2mqtt/küche/0x001788010d13248f", kind: .hue),
      ])
  }

  @Test(arguments: [
    ("[mqtt.remote.a]\ntopic = \"t\"", "kind"),
    ("[mqtt.remote.a]\nkind = \"hue\"", "topic"),
    ("[mqtt.remote.a]\ntopic = \"t/+\"\nkind = \"hue\"", "without + and #"),
    ("[mqtt.remote.a]\ntopic = \"$SYS/x\"\nkind = \"hue\"", "must be one topic"),
    ("[mqtt.remote.a]\ntopic = \"t\"\nkind = \"hew\"", "\"hue\""),
    ("[mqtt.remote.a]\ntopic = \"t\"\nkind = \"hue\"\nhold-limit = \"2m\"", "hold-limit"),
    ("[mqtt.remote.A]\ntopic = \"t\"\nkind = \"hue\"", "lower-case"),
    (
      "[mqtt.remote.a]\ntopic = \"t\"\nkind = \"hue\"\n[mqtt.remote.b]\ntopic = \"t\"\nkind = \"tuya\"",
      "another remote has the topic \"t\""
    ),
  ])
  func `that are wrong are named`(tables: String, expected: String) {
    let (remotes, problems) = load(tables)
    #expect(remotes == nil)
    #expect(problems.contains { $0.contains(expected) }, "\(problems)")
  }

  @Test func `are at most sixteen`() {
    let tables = (0..<17).map { "[mqtt.remote.r\($0)]\ntopic = \"t\($0)\"\nkind = \"hue\"" }
    #expect(load(tables.dropLast().joined(separator: "\n")).remotes?.count == 16)
    #expect(load(tables.joined(separator: "\n")).problems.contains { $0.contains("at most 16") })
  }
}
