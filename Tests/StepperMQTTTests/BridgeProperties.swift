import StepperCore
import StepperInterfaces
import TestSupport
import Testing
@testable import StepperMQTT

@Suite("After any order of losses and returns") struct BridgePropertyTests {
  /// What a broker should have retained of a board whose daemon has these values.
  private func check(_ world: World, _ step: Int) {
    let base = "stepperd/kiosk/"
    let isAlive = world.bridge != nil && world.isDaemonUp
    if world.bridge == nil, world.hasFormerOnline { return }
    #expect(
      world.retained["\(base)status"].map { String(decoding: $0, as: UTF8.self) }
        == (isAlive ? "online" : "offline"),
      "step \(step)")
    guard isAlive else { return }
    let payload = StatePayload(instance: "\(world.instance)", realtimeOffset: 0)
    var expected = ["\(base)status", "\(base)info", "\(base)last-seen", "homeassistant/device/kiosk/config"]
    for name in world.values.keys {
      let control = PublishedControl(world.state(name))
      #expect(world.retained["\(base)\(name)/state"] == payload.bytes(control), "\(name) at step \(step)")
      #expect(world.retained["\(base)\(name)"] == Array(control.plainText.utf8))
      expected += ["\(base)\(name)", "\(base)\(name)/state"]
    }
    #expect(Set(world.retained.keys) == Set(expected), "step \(step)")
    let announced = String(decoding: world.retained["homeassistant/device/kiosk/config"] ?? [], as: UTF8.self)
    for name in ["volume", "light", "mute", "station"] {
      #expect(announced.contains("\"\(name)\":{") == (world.values[name] != nil))
    }
  }

  @Test(arguments: Seed.fresh(24))
  func `the broker has the board's own states, and nothing is online that is dead`(_ seed: Seed) {
    var generator = SeededGenerator(seed)
    var world = World(seed: generator.next())
    for step in 0..<30 {
      for _ in 0..<Int.random(in: 1...8, using: &generator) { world.disturb() }
      #expect(world.mostKept <= MQTTLimit.results + MQTTLimit.inFlight + 1 + 256)
      // Everything that can be there is there; half of the time the bridge or the daemon stays dead.
      world.startBroker()
      if Bool.random(using: &generator) {
        world.startBridge()
        world.startDaemon()
      }
      world.pass(.seconds(200))
      // Without a broker in its life a dead bridge could not say so, nor its will.
      if world.bridge != nil || world.retained["stepperd/kiosk/status"] != nil { check(world, step) }
    }
  }

  @Test func `a board of ten controls is small`() {
    // A thousand of them share what is the same for all.
    #expect(MemoryLayout<PublishedControl>.size <= 128)
    #expect(MemoryLayout<MQTTBridge>.size <= 1_216)
  }
}
