import StepperCore
import StepperInterfaces
import Testing

@testable import StepperMQTT

@Suite struct `A board with moments` {
  @Test func `tells moments to those who listen, and keeps none`() {
    var bench = Bench.online()
    let moment = ControlInterface.MomentEvent(
      control: "volume", moment: .longPress, effect: .heavy, speech: "", monotonicMicroseconds: 1)
    bench.give(.happened(moment))
    #expect(
      bench.effects == [
        .publish(MQTTMessage("stepperd/kiosk/volume/moment", Array("longPress".utf8)), isAcknowledged: false)
      ])
    bench.give(.brokerLost("gone"))
    bench.effects = []
    bench.give(.happened(moment))
    #expect(bench.published == [])
  }

  @Test func `passes on presses while a knob is turned against its end`() {
    var bench = Bench.online()
    func moment(_ moment: ControlInterface.Moment) -> MQTTBridgeInput {
      .happened(
        ControlInterface.MomentEvent(
          control: "volume", moment: moment, effect: .none, speech: "", monotonicMicroseconds: 1))
    }
    for _ in 0..<300 { bench.give(moment(.limit)) }
    for press in Moments.presses { bench.give(moment(press)) }
    let texts = bench.payloads("stepperd/kiosk/volume/moment")
    #expect(texts.count { $0 == "limit" } == 50)
    #expect(texts.suffix(Moments.presses.count).elementsEqual(Moments.presses.map(\.rawValue)))
  }

  @Test func `passes on presses while the broker acknowledges slowly`() {
    var settings = Bench.settings
    settings.stateInterval = .milliseconds(1)
    var bench = Bench.online(settings)
    bench.acknowledges = false
    for value in 1...Int64(MQTTLimit.inFlight) * 2 {
      bench.give(
        .replied(.change(.example("volume", Double(value), sequence: value + 1)), realtimeOffset: 0))
      bench.pass(.milliseconds(2))
    }
    #expect(bench.bridge.inFlight >= MQTTLimit.inFlight)
    for moment in [ControlInterface.Moment.limit, .shortPress] {
      bench.give(
        .happened(
          ControlInterface.MomentEvent(
            control: "volume", moment: moment, effect: .none, speech: "", monotonicMicroseconds: 1)))
    }
    #expect(bench.payloads("stepperd/kiosk/volume/moment") == ["shortPress"])
  }
}
