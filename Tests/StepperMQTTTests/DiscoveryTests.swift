import StepperCore
import StepperInterfaces
import Testing
@testable import StepperMQTT

@Suite struct `The announcement to Home Assistant` {
  private static let topic = "homeassistant/device/kiosk/config"

  private func announcement(
    _ description: ControlInterface.Description, _ value: Double? = 50,
    _ settings: MQTTBridgeSettings = Bench.settings
  ) -> String {
    var bench = Bench(settings)
    bench.give(
      .replied(.snapshot([(description, .example(description.control, value))]), realtimeOffset: 0))
    bench.connect()
    bench.settle()
    return bench.payloads(bench.bridge.topics.discovery).last ?? ""
  }

  @Test func `has the board and where it came from`() {
    #expect(
      announcement(.example()).hasPrefix(
        """
        {"dev":{"ids":["stepperd_kiosk"],"name":"Kiosk","mf":"stepperd","mdl":"stepperd","sw":""},\
        "o":{"name":"stepperd-mqtt","sw":""},\
        "avty_t":"stepperd/kiosk/status","cmps":{
        """))
  }

  @Test func `has the page that a distributor names`() {
    var settings = Bench.settings
    settings.homepage = "https://example.org/stepperd"
    #expect(
      announcement(.example(), 50, settings).contains(
        #""o":{"name":"stepperd-mqtt","sw":"","url":"https://example.org/stepperd"},"#))
  }

  @Test func `has the machine, its serial number and the page of the board`() {
    var settings = Bench.settings
    settings.model = "Raspberry Pi 4 Model B Rev 1.4"
    settings.serial = "10000000abcdef01"
    settings.webPage = "http://kiosk.example:8383/"
    #expect(
      announcement(.example(), 50, settings).hasPrefix(
        """
        {"dev":{"ids":["stepperd_kiosk"],"name":"Kiosk","mf":"stepperd","mdl":"Raspberry Pi 4 Model B Rev 1.4",\
        "sn":"10000000abcdef01","sw":"","cu":"http://kiosk.example:8383/"},
        """))
  }

  @Test func `has the reason of the last refusal where something can be refused`() {
    let payload = announcement(.example())
    #expect(
      payload.contains(
        """
        ":refusal":{"p":"sensor","name":"Last refusal","uniq_id":"stepperd_kiosk_:refusal",\
        "def_ent_id":"sensor.kiosk_last_refusal","stat_t":"stepperd/kiosk/+/result",
        """))
    #expect(payload.contains(#""ent_cat":"diagnostic","qos":1}"#))
    #expect(!announcement(.example(writable: false)).contains(":refusal"))
    #expect(!announcement(.example("bell", .button), 0).contains(":refusal"))
  }

  @Test func `of a control with two entities has a name for each`() {
    let payload = announcement(.example(maximum: nil, title: "Tuning"))
    #expect(payload.contains(#""p":"sensor","name":"Tuning""#))
    #expect(payload.contains(#""p":"text","name":"Tuning setting""#))
  }

  @Test func `of a number that is a sensor has statistics`() {
    #expect(announcement(.example(maximum: nil)).contains(#""stat_cla":"measurement""#))
    #expect(announcement(.example(writable: false)).contains(#""stat_cla":"measurement""#))
    #expect(!announcement(.example("source", .choice, choices: ["a"], writable: false)).contains("stat_cla"))
    #expect(!announcement(.example()).contains("stat_cla"))
  }

  /// More than these is what `stepperd-mqtt check` warns of.
  @Test(arguments: [(200, nil), (150, 10.0)])
  func `of many controls fits in a message that AWS IoT Core takes`(count: Int, default: Double?) {
    var settings = Bench.settings
    settings.id = "0123456789abcdef"
    settings.name = "stepperd 0123456789abcdef"
    let controls = (1...count).map {
      ControlInterface.Description.example(
        "channel-\($0)", unit: "%", title: "Channel \($0)", default: `default`)
    }
    #expect(settings.announcementBytes(controls) <= MQTTBridgeSettings.announcementLimit)
    #expect(settings.announcementBytes(controls + controls) > MQTTBridgeSettings.announcementLimit)
  }

  @Test func `of a range is a number with both bounds`() {
    let payload = announcement(.example(unit: "%", title: "Volume"))
    #expect(
      payload.contains(
        """
        "volume":{"p":"number","name":"Volume","uniq_id":"stepperd_kiosk_volume",\
        "def_ent_id":"number.kiosk_volume","~":"stepperd/kiosk/volume","stat_t":"~",\
        "cmd_t":"~/set","min":0,"max":100,"unit_of_meas":"%","qos":1}
        """))
    // Home Assistant's own choice is a slider up to 256 steps, and a box above.
    #expect(announcement(.example(step: 0.1)).contains("\"mode\":\"slider\""))
    #expect(!announcement(.example(step: 0.001)).contains("\"mode\""))
  }

  @Test(arguments: [
    ControlInterface.Description.example(minimum: nil), .example(maximum: nil), .example(step: 0.0001),
    .example(minimum: 100, maximum: 100), .example(minimum: 60),
  ])
  func `of what is no number there is a sensor and a text`(_ description: ControlInterface.Description) {
    let payload = announcement(description)
    #expect(payload.contains("\"volume\":{\"p\":\"sensor\""))
    #expect(payload.contains("\"volume:text\":{\"p\":\"text\""))
    #expect(!payload.contains("\"p\":\"number\""))
  }

  @Test func `has different unique ids for different boards and controls`() {
    var kitchen = Bench.settings
    kitchen.id = "kitchen"
    var left = Bench.settings
    left.id = "kitchen_left"
    #expect(kitchen.uniqueID("left_volume") == "stepperd_kitchen_left_volume")
    #expect(left.uniqueID("volume") == "stepperd_kitchen:left_volume")
    #expect(announcement(.example(), 50, left).contains("\"uniq_id\":\"stepperd_kitchen:left_volume\""))
    var names: Set<String> = []
    let ids = ["a", "a_", "_a", "a_b", "a_b_c", "_", "__", "a-b"]
    for id in ids {
      var settings = Bench.settings
      settings.id = id
      for control in ["b", "_b", "b_c", "_", "__", "c", "b-c"] {
        names.insert(settings.uniqueID(DiscoveryComponent.number.key(control)))
        names.insert(settings.uniqueID(DiscoveryComponent.reset.key(control)))
      }
    }
    #expect(names.count == ids.count * 7 * 2)
  }

  @Test func `removes once what had another unique id`() throws {
    var settings = Bench.settings
    settings.id = "kitchen_left"
    let topic = "homeassistant/device/kitchen_left/config"
    var bench = Bench(settings)
    bench.give(.replied(.volume, realtimeOffset: 0))
    bench.connect()
    bench.message(
      topic, "{\"cmps\":{\"volume\":{\"p\":\"number\",\"uniq_id\":\"stepperd_kitchen_left_volume\"}}}",
      isRetained: true)
    bench.settle()
    let payloads = bench.payloads(topic)
    try #require(payloads.count == 2)
    #expect(payloads[0].contains("\"cmps\":{\"volume\":{\"p\":\"number\"}}"))
    #expect(payloads[1].contains("\"uniq_id\":\"stepperd_kitchen:left_volume\""))
    var again = Bench(settings)
    again.give(.replied(.volume, realtimeOffset: 0))
    again.connect()
    again.message(topic, payloads[1], isRetained: true)
    again.settle()
    #expect(again.payloads(topic) == [])
  }

  @Test func `of a choice has its words as they are published`() {
    let choices = ["radio", "none", "None", "unavailable"]
    let payload = announcement(.example("source", .choice, choices: choices), 0)
    #expect(payload.contains(#""options":["radio","\"none\"","\"None\"","\"unavailable\""]"#))
  }

  @Test func `of a choice is a select, of a toggle a switch`() {
    let choice = announcement(.example("source", .choice, choices: ["radio", "usb"]), 0)
    #expect(choice.contains("\"p\":\"select\""))
    #expect(choice.contains("\"cmd_t\":\"~/set\",\"options\":[\"radio\",\"usb\"]"))
    let toggle = announcement(.example("mute", .toggle), 0)
    #expect(toggle.contains("\"p\":\"switch\""))
    #expect(toggle.contains("\"cmd_t\":\"~/set\",\"pl_on\":\"on\",\"pl_off\":\"off\""))
  }

  @Test func `of a button is a binary sensor with triggers and an event`() {
    let payload = announcement(.example("bell", .button), 0)
    #expect(payload.contains("\"bell\":{\"p\":\"binary_sensor\""))
    #expect(
      payload.contains(
        """
        "bell:shortPress":{"p":"device_automation","atype":"trigger","type":"button_short_press",\
        "stype":"bell","t":"stepperd/kiosk/bell/moment","pl":"shortPress","qos":1}
        """))
    #expect(!payload.contains("button_long_press"))
    #expect(!payload.contains("button_double_press"))
    #expect(payload.contains("\"bell:event\":{\"p\":\"event\""))
    #expect(payload.contains("\"evt_typ\":[\"limit\",\"minimum\","))
    #expect(!payload.contains("bell:reset"))
  }

  @Test func `of two buttons of the same title has triggers that differ`() {
    let buttons = ["left", "right", "bell"].map {
      (
        ControlInterface.Description.example($0, .button, title: $0 == "bell" ? nil : "Door"),
        ControlInterface.State.example($0, 0)
      )
    }
    var bench = Bench()
    bench.give(.replied(.snapshot(buttons), realtimeOffset: 0))
    bench.connect()
    bench.settle()
    let payload = bench.payloads("homeassistant/device/kiosk/config").last ?? ""
    for subtype in ["Door (left)", "Door (right)", "bell"] {
      #expect(payload.contains("\"stype\":\"\(subtype)\""))
    }
  }

  @Test func `of a button has triggers only for presses that are told`() {
    var settings = Bench.settings
    settings.longPressControls = ["bell", "volume"]
    settings.doublePressControls = ["bell"]
    let payload = announcement(.example("bell", .button), 0, settings)
    #expect(payload.contains("\"bell:longPress\":{\"p\":\"device_automation\""))
    #expect(payload.contains("\"bell:doublePress\":{\"p\":\"device_automation\""))
    #expect(!announcement(.example(), 50, settings).contains("device_automation"))
  }

  @Test func `of what may only be read offers nothing to write`() {
    #expect(!announcement(.example(writable: false, default: 10)).contains("cmd_t"))
    #expect(announcement(.example("mute", .toggle, writable: false)).contains("\"p\":\"binary_sensor\""))
    #expect(!announcement(.example("source", .choice, choices: ["a"], writable: false)).contains("cmd_t"))
  }

  @Test func `has a reset that is off by default`() {
    let payload = announcement(.example(default: 10))
    #expect(payload.contains("\"volume:reset\":{\"p\":\"button\""))
    #expect(payload.contains("\"en\":false,\"cmd_t\":\"stepperd/kiosk/volume/reset\""))
  }

  @Test func `is sent again only if the broker has another one`() {
    var first = Bench()
    first.give(.replied(.volume, realtimeOffset: 0))
    first.connect()
    first.settle()
    let payload = first.payloads(Self.topic)[0]
    var second = Bench()
    second.give(.replied(.volume, realtimeOffset: 0))
    second.connect()
    second.message(Self.topic, payload, isRetained: true)
    second.settle()
    #expect(second.payloads(Self.topic) == [])
    #expect(second.lines.last == "status online")
  }

  @Test func `removes once what is there no more`() {
    var bench = Bench()
    bench.give(.replied(.volume, realtimeOffset: 0))
    bench.connect()
    bench.message(
      Self.topic, "{\"cmps\":{\"old\":{\"p\":\"switch\"},\"volume\":{\"p\":\"sensor\"}}}", isRetained: true)
    bench.settle()
    let payloads = bench.payloads(Self.topic)
    #expect(payloads.count == 2)
    #expect(payloads[0].contains("\"old\":{\"p\":\"switch\"}"))
    #expect(payloads[0].contains("\"volume\":{\"p\":\"sensor\"}"))
    // Nothing that Home Assistant would still be adding when the next message comes.
    #expect(!payloads[0].contains("number"))
    #expect(!payloads[0].contains("volume:event"))
    #expect(!payloads[1].contains("old"))
    #expect(payloads[1].contains("\"volume\":{\"p\":\"number\""))
  }

  @Test func `comes before the states of a range that was adjusted`() {
    var bench = Bench.online()
    bench.pass(.seconds(1))
    bench.give(
      .replied(
        .snapshot([(.example(maximum: 200), .example("volume", 150, sequence: 2))], instance: "one"),
        realtimeOffset: 0))
    #expect(bench.lines.first == "discovery")
    #expect(bench.lines.contains("volume 150"))
    #expect(bench.payloads(Self.topic).last?.contains("\"max\":200") == true)
  }

  @Test func `follows a value that is outside of its bounds`() {
    var bench = Bench.online()
    bench.pass(.seconds(1))
    bench.give(.replied(.change(.example("volume", 120, sequence: 2)), realtimeOffset: 0))
    #expect(bench.payloads(Self.topic).last?.contains("\"volume\":{\"p\":\"sensor\"") == true)
    #expect(bench.lines.last == "volume/state")
  }

  @Test func `clears the topics of controls that are there no more`() {
    var bench = Bench()
    bench.give(.replied(.volume, realtimeOffset: 0))
    bench.connect()
    bench.message(
      "stepperd/kiosk/info", "{\"controls\":[\"volume\",\"old\",\"../x\",\"status\"]}", isRetained: true)
    bench.settle()
    #expect(
      bench.published.filter { $0.payload.isEmpty }.map(\.topic) == [
        "stepperd/kiosk/old", "stepperd/kiosk/old/state",
      ])
    bench.effects = []
    bench.give(
      .replied(.snapshot([(.example("light"), .example("light"))], instance: "two"), realtimeOffset: 0))
    #expect(
      bench.published.filter { $0.payload.isEmpty }.map(\.topic)
        == ["stepperd/kiosk/volume", "stepperd/kiosk/volume/state"])
  }

  @Test func `is repeated after a birth, at a random time`() {
    var delays: Set<Duration> = []
    for seed in 0..<20 {
      var bench = Bench(seed: UInt64(seed))
      bench.give(.replied(.volume, realtimeOffset: 0))
      bench.connect()
      bench.settle()
      bench.message("homeassistant/status", "online", isRetained: true)
      bench.message("stepperd/kiosk/status", "online")
      #expect(bench.bridge.birthDue == nil)
      bench.effects = []
      let before = bench.now
      bench.message("homeassistant/status", "online")
      bench.message("homeassistant/status", "online")
      let due = bench.bridge.birthDue ?? before
      delays.insert(due - before)
      bench.pass(.seconds(11))
      #expect(bench.lines == ["discovery", "volume 50", "volume/state"])
    }
    #expect(delays.count > 15)
    #expect(delays.allSatisfy { $0 <= .seconds(10) })
  }

  @Test func `is cleared if it is not wanted any more, or is elsewhere, by the info of before`() {
    let info = Bench.online().bridge.topics.info
    var first = Bench()
    first.give(.replied(.volume, realtimeOffset: 0))
    first.connect()
    first.settle()
    let retained = first.payloads(info).last ?? ""
    #expect(retained.contains("\"discovery\":\"\(Self.topic)\""))
    for (hasDiscovery, prefix) in [(false, "homeassistant"), (true, "ha"), (true, "homeassistant")] {
      var settings = Bench.settings
      (settings.hasDiscovery, settings.discoveryPrefix) = (hasDiscovery, prefix)
      var bench = Bench(settings)
      bench.give(.replied(.volume, realtimeOffset: 0))
      bench.connect()
      bench.message(info, retained, isRetained: true)
      bench.settle()
      #expect(bench.payloads(Self.topic).contains("") == (prefix == "ha" || !hasDiscovery))
      #expect(bench.payloads(info).last?.contains("\"discovery\":") == hasDiscovery)
      #expect(bench.bridge.isOnline)
    }
  }

  @Test func `is cleared nowhere else, whatever an info says`() {
    var bench = Bench()
    bench.give(.replied(.volume, realtimeOffset: 0))
    bench.connect()
    bench.message(
      bench.bridge.topics.info, "{\"discovery\":\"homeassistant/device/other/config\"}", isRetained: true)
    bench.settle()
    #expect(bench.published.allSatisfy { !$0.topic.contains("other") })
  }

  @Test func `leaves out controls whose topics are the board's own`() {
    var bench = Bench()
    bench.give(
      .replied(
        .snapshot([(.example("status"), .example("status")), (.example(), .example())]), realtimeOffset: 0))
    bench.connect()
    bench.settle()
    #expect(bench.reports.contains(.reservedNames(["status"])))
    #expect(bench.payloads("stepperd/kiosk/status") == ["online"])
    #expect(bench.payloads(Self.topic).first?.contains("\"status\":{") == false)
  }

  @Test func `of a broker that retains nothing tells who comes later once a minute, and after a birth`() {
    var bench = Bench.online()
    bench.give(.brokerLost("gone"))
    bench.pass(.seconds(60))
    bench.give(.accepted)
    bench.give(.unretained)
    bench.give(.subscribed(refused: []))
    bench.settle()
    bench.effects = []
    bench.pass(.seconds(60))
    #expect(bench.payloads("stepperd/kiosk/status").contains("online"))
    #expect(!bench.payloads("stepperd/kiosk/volume/state").isEmpty)
    bench.pass(.seconds(1))
    bench.effects = []
    bench.message("homeassistant/status", "online")
    bench.pass(.seconds(15))
    let topics = bench.published.map(\.topic)
    let status = topics.lastIndex(of: "stepperd/kiosk/status")
    #expect(
      status.map { topics.prefix($0).contains("homeassistant/device/kiosk/config") } == true, "\(topics)")
  }

  @Test func `all of a board with the most controls is removed that it does not have any more`() {
    var bench = Bench()
    bench.give(.replied(.volume, realtimeOffset: 0))
    bench.connect()
    let old = (0..<MQTTLimit.controls).flatMap { number in
      ["", ":event", ":shortPress", ":longPress", ":doublePress"].map {
        "\"c\(number)\($0)\":{\"p\":\"sensor\"}"
      }
    }
    bench.message(Self.topic, "{\"cmps\":{\(old.joined(separator: ","))}}", isRetained: true)
    bench.settle()
    let removal = bench.payloads(Self.topic).first ?? ""
    #expect(removal.split(separator: "{\"p\":\"sensor\"}").count - 1 == old.count)
  }

}
