import StepperCore
import Testing
@testable import StepperMQTT

@Suite struct `Checking a broker` {
  private var now = Instant.milliseconds(1)
  private var probe = MQTTProbe(Bench.settings)
  private var effects: [MQTTBridgeEffect] = []

  private mutating func give(_ input: MQTTBridgeInput) { effects += probe.handle(input, at: now) }
  private mutating func connect(refused: [String] = []) {
    give(.start)
    give(.accepted)
    give(.subscribed(refused: refused))
  }

  @Test mutating func `ends when its own message has come back, and leaves nothing there`() {
    connect()
    let message = MQTTMessage("stepperd/kiosk/$check", Array("check".utf8))
    let state = MQTTMessage("stepperd/kiosk/$check/state", Array("check".utf8))
    #expect(effects.suffix(2) == [state, message].map { .publish($0, isAcknowledged: true) })
    give(.received(MQTTMessage("stepperd/kiosk/status", Array("online".utf8), isRetained: true)))
    give(.received(state))
    #expect(probe.deadline != nil)
    give(.received(message))
    #expect(effects.suffix(2) == [.disconnect, .stopped])
    #expect(probe.unheard.isEmpty)
    #expect(probe.failure == nil)
  }

  @Test mutating func `says what is refused, and that nothing came back`() {
    connect(refused: ["stepperd/kiosk/+/set"])
    now = probe.deadline ?? now
    give(.time)
    #expect(effects.last == .stopped)
    #expect(probe.refused == ["stepperd/kiosk/+/set"])
    #expect(probe.unheard.map(\.topic) == ["stepperd/kiosk/$check/state", "stepperd/kiosk/$check"])
    #expect(probe.failure == nil)
  }

  @Test mutating func `says what may not be written, and does not wait for it`() {
    connect()
    give(.publicationRefused(topic: "stepperd/kiosk/$check/state", reason: "not authorized"))
    give(.received(MQTTMessage("stepperd/kiosk/$check", Array("check".utf8))))
    #expect(effects.last == .stopped)
    #expect(probe.unheard.map(\.topic) == ["stepperd/kiosk/$check/state"])
    #expect(probe.unheard.map(\.reason) == ["not authorized"])
  }

  @Test mutating func `says why there is no connection`() {
    give(.start)
    give(.brokerLost("refuses the connection"))
    #expect(probe.failure == "refuses the connection")
    probe = MQTTProbe(Bench.settings)
    give(.start)
    now = probe.deadline ?? now
    give(.time)
    #expect(probe.failure == MQTTBridge.silence)
  }
}
