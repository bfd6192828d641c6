import StepperCore
import Testing
@testable import StepperMQTT

@Suite struct `Forgetting a board` {
  private var now = Instant.milliseconds(1)
  private var forget = MQTTForget(Bench.settings)
  private var effects: [MQTTBridgeEffect] = []

  private mutating func give(_ input: MQTTBridgeInput) { effects += forget.handle(input, at: now) }
  private mutating func retained(_ topic: String, _ text: String = "x") {
    give(.received(MQTTMessage(topic, Array(text.utf8), isRetained: true)))
  }
  private mutating func pass() {
    now = forget.deadline ?? now
    give(.time)
  }
  private var cleared: [String] {
    effects.compactMap { effect in
      guard case .publish(let message, isAcknowledged: true) = effect, message.isRetained,
        message.payload.isEmpty
      else { return nil }
      return message.topic
    }
  }

  @Test mutating func `clears what is retained of it, the announcement first and the status last`() {
    give(.start)
    give(.accepted)
    #expect(
      effects.last
        == .subscribe([
          "stepperd/kiosk/#", "homeassistant/device/kiosk/config", "stepperd/kiosk/info",
          "stepperd/kiosk/status",
        ]))
    give(.subscribed(refused: []))
    retained("stepperd/kiosk/status", "online")
    for number in 0..<50 { retained("stepperd/kiosk/c\(number)") }
    retained("homeassistant/device/kiosk/config")
    retained("stepperd/other/status")
    give(.received(MQTTMessage("stepperd/kiosk/volume/set", Array("1".utf8))))
    #expect(cleared == [])
    pass()
    #expect(cleared.count == MQTTLimit.inFlight)
    for _ in 0..<52 { give(.acknowledged) }
    #expect(cleared.count == 52)
    #expect(cleared.first == "homeassistant/device/kiosk/config")
    #expect(cleared.last == "stepperd/kiosk/status")
    #expect(effects.suffix(2) == [.disconnect, .stopped])
    #expect(forget.count == 52)
    #expect(forget.isOnline)
    #expect(!forget.isBlind)
    #expect(forget.cleared == cleared)
    #expect(forget.failure == nil)
  }

  @Test mutating func `leaves to other boards what they have below it`() {
    give(.start)
    give(.accepted)
    give(.subscribed(refused: []))
    let own = ["volume", "volume/state", "volume/target", "volume/set", "config/set", "status"]
    for topic in own { retained("stepperd/kiosk/\(topic)") }
    for topic in ["b/status", "b/volume", "b/volume/target", "$group/lobby/volume/set", "b/info"] {
      retained("stepperd/kiosk/\(topic)")
    }
    pass()
    #expect(Set(cleared) == Set(own.map { "stepperd/kiosk/\($0)" }))
  }

  @Test mutating func `spares one that is online if it is to, and does not wait long`() {
    forget = MQTTForget(Bench.settings, timeout: .seconds(3), sparesOnline: true)
    give(.start)
    #expect(forget.deadline == now + .seconds(3))
    give(.accepted)
    give(.subscribed(refused: []))
    retained("stepperd/kiosk/status", "online")
    retained("stepperd/kiosk/volume")
    pass()
    #expect(cleared == [])
    #expect(forget.failure == "has another board with this id, which is online")
    #expect(effects.suffix(2) == [.disconnect, .stopped])
  }

  @Test(arguments: [
    ("stepperd", "ha", ["homeassistant/device/kiosk/config"]),
    (
      "site", "homeassistant",
      ["stepperd/kiosk/status", "stepperd/kiosk/volume", "stepperd/kiosk/volume/target"]
    ),
    (
      "site", "ha",
      [
        "homeassistant/device/kiosk/config", "stepperd/kiosk/status", "stepperd/kiosk/volume",
        "stepperd/kiosk/volume/target",
      ]
    ),
  ])
  mutating func `keeps what the board has under its present names`(
    _ prefix: String, _ discoveryPrefix: String, _ wanted: [String]
  ) {
    var present = Bench.settings
    (present.prefix, present.discoveryPrefix) = (prefix, discoveryPrefix)
    forget = MQTTForget(Bench.settings, present: present)
    give(.start)
    give(.accepted)
    give(.subscribed(refused: []))
    for topic in ["status", "volume", "volume/target"] { retained("stepperd/kiosk/\(topic)") }
    retained("homeassistant/device/kiosk/config")
    pass()
    #expect(cleared.sorted() == wanted)
  }

  @Test mutating func `does not spare one that is offline`() {
    forget = MQTTForget(Bench.settings, sparesOnline: true)
    give(.start)
    give(.accepted)
    give(.subscribed(refused: []))
    retained("stepperd/kiosk/status", "offline")
    pass()
    give(.acknowledged)
    #expect(cleared == ["stepperd/kiosk/status"])
    #expect(forget.failure == nil)
  }

  @Test mutating func `of a broker that shows nothing to wildcards is by the names in info`() {
    give(.start)
    give(.accepted)
    give(.subscribed(refused: []))
    retained("stepperd/kiosk/status", "offline")
    retained("stepperd/kiosk/info", "{\"controls\":[\"volume\",\"left.gain\"]}")
    pass()
    for _ in 0..<9 { give(.acknowledged) }
    #expect(
      Set(cleared) == [
        "stepperd/kiosk/status", "stepperd/kiosk/info", "stepperd/kiosk/last-seen", "stepperd/kiosk/volume",
        "stepperd/kiosk/volume/state",
        "stepperd/kiosk/volume/target", "stepperd/kiosk/left:gain", "stepperd/kiosk/left:gain/state",
        "stepperd/kiosk/left:gain/target",
      ])
    #expect(forget.isBlind)
    #expect(effects.last == .stopped)
  }

  @Test mutating func `says what the broker does not let it clear`() {
    give(.start)
    give(.accepted)
    give(.subscribed(refused: []))
    retained("stepperd/kiosk/status", "offline")
    retained("stepperd/kiosk/config/set")
    pass()
    give(.publicationRefused(topic: "stepperd/kiosk/config/set", reason: "not authorized"))
    give(.acknowledged)
    #expect(forget.cleared == ["stepperd/kiosk/status"])
    #expect(forget.failure?.contains("clear stepperd/kiosk/config/set (not authorized)") == true)
    #expect(effects.last == .stopped)
  }

  @Test mutating func `clears the announcement that info names`() {
    give(.start)
    give(.accepted)
    give(.subscribed(refused: []))
    retained("stepperd/kiosk/info", "{\"controls\":[],\"discovery\":\"ha/device/kiosk/config\"}")
    pass()
    #expect(cleared == ["ha/device/kiosk/config", "stepperd/kiosk/info"])
  }

  @Test mutating func `ends if there is nothing, or nobody`() {
    give(.start)
    give(.accepted)
    give(.subscribed(refused: []))
    pass()
    #expect(effects.last == .stopped)
    #expect(forget.count == 0)
    forget = MQTTForget(Bench.settings)
    give(.start)
    pass()
    #expect(forget.failure == MQTTBridge.silence)
    #expect(forget.deadline == nil)
  }
}
