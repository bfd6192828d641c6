import StepperCore
import StepperInterfaces
import Testing
@testable import StepperMQTT

/// What the broker says of the messages that it is sent.
@Suite("A message that the broker") struct AcknowledgementTests {
  private static let state = "stepperd/kiosk/volume/state"

  private func change(_ bench: inout Bench, to value: Double) {
    bench.give(
      .replied(.change(.example("volume", value, sequence: Int64(value))), realtimeOffset: 0))
  }

  /// The broker refuses all messages of a topic from now on.
  private func refuse(_ topic: String, _ bench: inout Bench, for time: Duration) {
    bench.acknowledges = false
    let end = bench.now + time
    var seen = 0
    repeat {
      while seen < bench.effects.count {
        if case .publish(let message, isAcknowledged: true) = bench.effects[seen] {
          bench.give(
            message.topic == topic
              ? .publicationRefused(topic: topic, reason: "not authorized") : .acknowledged)
        }
        seen += 1
      }
      bench.pass(min(.seconds(1), end - bench.now))
    } while bench.now < end
  }

  @Test func `refuses is sent again after 10 s and then once a minute, and named`() {
    var bench = Bench.online()
    bench.acknowledges = false
    change(&bench, to: 60)
    refuse(Self.state, &bench, for: .seconds(200))
    #expect((4...5).contains(bench.payloads(Self.state).count))
    let refusal = MQTTBridgeReport.refusedPublication(topic: Self.state, reason: "not authorized", others: 0)
    #expect(bench.reports.filter { $0 == refusal }.count == 1)
    #expect(bench.bridge.refusedPublication == refusal)
    #expect(bench.bridge.inFlight == 0)
    // It is allowed now.
    bench.acknowledges = true
    bench.pass(.seconds(61))
    #expect(bench.bridge.refusedPublication == nil)
    #expect(bench.bridge.isOnline)
  }

  @Test func `refuses by a limit now and then is reported once a minute at most`() {
    var bench = Bench.online()
    bench.acknowledges = false
    for value in 1...600 {
      change(&bench, to: Double(value))
      bench.give(.acknowledged)
      bench.give(
        value.isMultiple(of: 2)
          ? .acknowledged : .publicationRefused(topic: Self.state, reason: "quota exceeded"))
      bench.pass(.milliseconds(100))
    }
    bench.acknowledges = true
    for _ in 0..<4 { bench.give(.acknowledged) }
    let reports = bench.reports.count { if case .refusedPublication = $0 { true } else { false } }
    #expect((1...2).contains(reports))
    bench.pass(.seconds(61))
    change(&bench, to: 7)
    #expect(bench.bridge.refusedPublication == nil)
    #expect(bench.payloads("stepperd/kiosk/volume").last == "7")
  }

  @Test func `refuses as the status makes the board not online`() {
    var bench = Bench()
    bench.acknowledges = false
    bench.give(.replied(.volume, realtimeOffset: 0))
    bench.connect()
    bench.settle()
    refuse("stepperd/kiosk/status", &bench, for: .seconds(125))
    #expect(!bench.bridge.isOnline)
    #expect((3...4).contains(bench.payloads("stepperd/kiosk/status").count))
    bench.acknowledges = true
    bench.pass(.seconds(61))
    #expect(bench.bridge.isOnline)
    #expect(bench.bridge.refusedPublication == nil)
  }

  @Test func `never acknowledges ends the connection after a minute, without an online that stays`() {
    var bench = Bench.online()
    bench.acknowledges = false
    bench.pass(.seconds(100))
    change(&bench, to: 60)
    // The text is, and the state is not.
    bench.give(.acknowledged)
    bench.pass(.seconds(59))
    #expect(bench.bridge.isOnline)
    bench.effects = []
    bench.pass(.seconds(2))
    let offline = MQTTMessage("stepperd/kiosk/status", Array("offline".utf8), isRetained: true)
    #expect(bench.effects.contains(.publish(offline, isAcknowledged: false)))
    #expect(bench.effects.contains(.disconnect))
    #expect(
      bench.reports.contains {
        if case .brokerLost(MQTTBridge.unacknowledged, _) = $0 { true } else { false }
      })
    // The next connection begins anew.
    bench.acknowledges = true
    bench.pass(.seconds(2))
    bench.give(.accepted)
    bench.give(.subscribed(refused: []))
    bench.settle()
    #expect(bench.bridge.isOnline)
    #expect(bench.bridge.inFlight == 0)
  }

  @Test func `does not let it read is named as long as it is so, and reported when it is another one`() {
    var bench = Bench()
    bench.give(.replied(.volume, realtimeOffset: 0))
    bench.give(.start)
    for _ in 0..<3 {
      bench.pass(.seconds(60))
      bench.give(.accepted)
      bench.give(.subscribed(refused: ["stepperd/kiosk/+/set"]))
      bench.settle()
      #expect(bench.bridge.brokerProblem == .refusedFilters(["stepperd/kiosk/+/set"]))
      bench.give(.brokerLost("gone"))
      #expect(bench.bridge.brokerProblem == nil)
    }
    #expect(bench.reports.filter { $0 == .refusedFilters(["stepperd/kiosk/+/set"]) }.count == 1)
  }
}
