import TestSupport
import Testing
import Varlink

@testable import StepperMQTT

/// Every topic that a bridge is sent, and every payload that it reads, as anybody on the network may write them.
@Suite struct HostileMessageTests {
  private static let topicBytes = 65_535
  private static let settings = {
    var settings = Bench.settings
    settings.hasTargets = true
    settings.groups = ["cars"]
    return settings
  }()

  private func bench() -> Bench { .online(Self.settings) }

  @Test(arguments: [
    "", "stepperd/", "stepperd/kiosk/", "stepperd/kiosk/volume/", "stepperd/$group/cars/", "homeassistant/",
  ])
  func `no topic costs more than its length`(_ head: String) {
    for tail in ["", "/set", "/target"] {
      expectProportionalCost(of: "\(head)…\(tail)", upTo: Self.topicBytes) { bytes in
        let topic = OutsideText(Array(head.utf8) + bytes + Array(tail.utf8), atMost: Self.topicBytes * 2)
        for isRetained in [false, true] {
          guard let topic, let message = MQTTMessage(topic: topic, Array("1".utf8), isRetained: isRetained)
          else {
            continue
          }
          var bench = bench()
          bench.give(.received(message))
        }
      }
    }
  }

  @Test(
    arguments: Topics(settings).filters(settings) + ["stepperd/kiosk/status", "stepperd/kiosk/info"])
  func `no payload costs more than its length`(_ filter: String) {
    let topic = filter.replacing("+", with: "volume")
    let isCommand = filter.contains("+")
    let members =
      isCommand
      ? ["value", "text", "ifSequence", "if_sequence", "instance", "steps", "unit", "id", "revision"]
      : ["cmps", "controls"]
    let shapes: [(String, String)] =
      [("", ""), ("\"", "\""), ("{\"", "\":1}")]
      + members.flatMap { name in
        [
          ("{\"\(name)\":\"", "\"}"), ("{\"\(name)\":[\"", "\"]}"),
          ("{\"\(name)\":{\"", "\":{\"p\":\"event\"}}}"),
        ]
      }
    for (head, tail) in shapes {
      expectProportionalCost(
        of: "\(topic) \(head)…\(tail)", upTo: isCommand ? MQTTLimit.commandBytes - 64 : 1 << 16
      ) { bytes in
        let payload = Array(head.utf8) + bytes + Array(tail.utf8)
        for isRetained in [false, true] {
          var bench = bench()
          bench.give(.received(MQTTMessage(topic, payload, isRetained: isRetained)))
          bench.settle()
        }
      }
    }
  }

  @Test func `a topic is a text of at most a kilobyte`() throws {
    let marks = HostileText.marksInTurn.bytes(500)
    for topic in [marks, Array(repeating: UInt8(ascii: "a"), count: 1_025), [0xff]] {
      let topic = try #require(OutsideText(topic, atMost: 2_000))
      #expect(MQTTMessage(topic: topic, [], isRetained: false) == nil)
    }
    let topic = try #require(OutsideText("stepperd/kiosk/volume/set".utf8, atMost: 2_000))
    #expect(
      MQTTMessage(topic: topic, [1], isRetained: true)
        == MQTTMessage("stepperd/kiosk/volume/set", [1], isRetained: true))
  }
}
