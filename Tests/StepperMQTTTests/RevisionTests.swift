import StepperCore
import StepperInterfaces
import Testing
@testable import StepperMQTT

/// Which targets are applied, and which are applied again.
@Suite("Of the targets of a control") struct RevisionTests {
  private static let settings: MQTTBridgeSettings = {
    var settings = Bench.settings
    settings.hasTargets = true
    return settings
  }()

  private func target(_ bench: inout Bench, _ value: Int, _ revision: String, isRetained: Bool = false) {
    bench.message(
      "stepperd/kiosk/volume/target", "{\"value\":\(value),\"revision\":\"\(revision)\"}",
      isRetained: isRetained)
  }

  private func answer(_ bench: inout Bench, _ number: UInt32? = nil) {
    bench.give(
      .answered(number ?? bench.lastCallNumber, .success(.example("volume", 1, sequence: 2))))
  }

  @Test func `the last eight are not applied again, whatever a broker or a publisher sends again`() {
    var bench = Bench.online(Self.settings)
    for number in 1...9 {
      target(&bench, number, "r\(number)")
      answer(&bench)
      bench.pass(.seconds(2))
    }
    #expect(bench.calls.count == 9)
    let kept = bench.lastRevisions ?? [:]
    #expect(kept["volume"] == "r9")
    var again = Bench.online(Self.settings, revisions: kept)
    for number in 2...9 { target(&again, number, "r\(number)", isRetained: true) }
    #expect(again.calls == [])
    // Older ones are forgotten.
    target(&again, 1, "r1")
    #expect(again.calls.count == 1)
  }

  @Test func `what an older version has kept is read`() {
    let revisions = AppliedRevisions(["volume": "r1", "left.gain": "x y"])
    #expect(revisions.contains("r1", of: "volume"))
    #expect(revisions.contains("x y", of: "left.gain"))
    #expect(!revisions.contains("x", of: "left.gain"))
    #expect(revisions.texts == ["volume": "r1", "left.gain": "x y"])
  }

  @Test func `no more than there may be controls are kept`() {
    var revisions = AppliedRevisions([:])
    for number in 0..<3_000 {
      for revision in 0..<9 { revisions.add("r\(revision)", of: "c\(number)") { $0 == "c0" } }
    }
    #expect(revisions.texts.count <= 2 * MQTTLimit.revisions)
    #expect(revisions.contains("r8", of: "c0"))
    // The file that they are written to is read up to 1 MiB.
    let bytes = revisions.texts.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    #expect(bytes < 400_000)
  }

  @Test(arguments: [MQTTCallFailure.daemonAway, .unknownOutcome])
  func `two that were asked for when the daemon went away, the newer is applied`(_ failure: MQTTCallFailure) {
    for order in [[1, 2], [2, 1]] as [[UInt32]] {
      var bench = Bench.online(Self.settings)
      target(&bench, 10, "r1")
      target(&bench, 20, "r2")
      bench.give(.daemonLost)
      for number in order { bench.give(.answered(number, .failure(failure))) }
      bench.effects = []
      bench.give(.replied(.volume, realtimeOffset: 0))
      bench.give(.time)
      #expect(bench.calls == [.set(control: "volume", .number(20), ifSequence: nil)])
    }
  }

  @Test func `an older one is not applied after a newer one`() {
    var bench = Bench.online(Self.settings)
    target(&bench, 10, "r1")
    target(&bench, 20, "r2")
    answer(&bench, 2)
    bench.give(.answered(1, .failure(.unknownOutcome)))
    bench.pass(.seconds(1))
    #expect(bench.calls.count == 2)
    // One that came while the daemon was away is newer than one that it was asked for.
    target(&bench, 30, "r3")
    bench.give(.daemonLost)
    target(&bench, 40, "r4")
    bench.give(.answered(3, .failure(.unknownOutcome)))
    bench.effects = []
    bench.give(.replied(.volume, realtimeOffset: 0))
    bench.give(.time)
    #expect(bench.calls == [.set(control: "volume", .number(40), ifSequence: nil)])
  }

  @Test func `what could not be written is written when it can be, and at the end`() {
    var bench = Bench.online(Self.settings)
    target(&bench, 10, "r1")
    answer(&bench)
    #expect(bench.lastRevisions == ["volume": "r1"])
    for _ in 0..<3 {
      bench.effects = []
      bench.give(.revisionsUnkept)
      bench.pass(.seconds(9))
      #expect(bench.lastRevisions == nil)
      bench.pass(.seconds(1))
      #expect(bench.lastRevisions == ["volume": "r1"])
    }
    bench.effects = []
    bench.pass(.seconds(60))
    #expect(bench.lastRevisions == nil, "once")
    bench.give(.revisionsUnkept)
    bench.give(.stop)
    bench.pass(.seconds(2))
    #expect(bench.lastRevisions == ["volume": "r1"])
  }

  @Test func `one that was cleared while there was no connection is not applied`() {
    var bench = Bench.online(Self.settings)
    bench.give(.daemonLost)
    target(&bench, 10, "r1", isRetained: true)
    bench.give(.brokerLost("cut"))
    bench.pass(.seconds(2))
    bench.give(.accepted)
    bench.give(.subscribed(refused: []))
    bench.settle()
    bench.give(.replied(.volume, realtimeOffset: 0))
    bench.give(.time)
    #expect(bench.calls == [])
  }

  @Test func `one that is not retained waits for the daemon over the loss of the broker`() {
    var bench = Bench.online(Self.settings)
    bench.give(.daemonLost)
    target(&bench, 10, "r1")
    bench.give(.brokerLost("cut"))
    bench.pass(.seconds(2))
    bench.give(.accepted)
    bench.give(.replied(.volume, realtimeOffset: 0))
    bench.give(.time)
    #expect(bench.calls == [.set(control: "volume", .number(10), ifSequence: nil)])
  }
}
