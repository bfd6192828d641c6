import StepperCore
import StepperInterfaces
import Testing
@testable import StepperMQTT

@Suite("The connection to the broker") struct ConnectionTests {
  @Test func `begins with the will, then subscribes, announces, sends states, and says online last`() {
    var bench = Bench()
    bench.give(.replied(.volume, realtimeOffset: 0))
    bench.connect()
    #expect(
      bench.effects.first
        == .connect(will: MQTTMessage("stepperd/kiosk/status", Array("offline".utf8), isRetained: true)))
    #expect(
      bench.effects.contains(
        .subscribe(
          [
            "stepperd/kiosk/+", "stepperd/kiosk/+/state", "homeassistant/device/kiosk/config",
            "homeassistant/status",
          ], commands: ["stepperd/kiosk/+/set", "stepperd/kiosk/+/step", "stepperd/kiosk/+/reset"])))
    #expect(bench.published == [])
    bench.settle()
    #expect(bench.lines.count == 5)
    #expect(bench.lines.first == "discovery")
    #expect(bench.lines[1].hasPrefix("info {\"version\":\"\",\"instance\":\"one\",\"configuration\":\""))
    #expect(Array(bench.lines[2...]) == ["volume 50", "volume/state", "status online"])
    #expect(bench.published.allSatisfy { $0.isRetained })
    #expect(bench.reports == [.online])
    #expect(bench.bridge.isOnline)
  }

  @Test
  func `subscribes to no more than it needs: eight filters with targets, two groups and no Home Assistant`() {
    var settings = Bench.settings
    (settings.hasDiscovery, settings.hasTargets, settings.groups) = (false, true, ["lobby", "hall"])
    var bench = Bench(settings)
    bench.connect()
    #expect(
      bench.effects.contains(
        .subscribe(
          ["stepperd/kiosk/+/target", "stepperd/kiosk/+", "stepperd/kiosk/+/state"],
          commands: [
            "stepperd/kiosk/+/set", "stepperd/kiosk/+/step", "stepperd/kiosk/+/reset",
            "stepperd/$group/lobby/+/set", "stepperd/$group/hall/+/set",
          ])))
  }

  @Test func `sends payloads that every broker takes, for as many controls as there can be`() {
    var settings = Bench.settings
    settings.hasDiscovery = false
    var bench = Bench(settings)
    let controls = (0..<MQTTLimit.controls).map { number in
      let name = "c\(number)-" + String(repeating: "x", count: 62 - "\(number)".count)
      return (ControlInterface.Description.example(name), ControlInterface.State.example(name))
    }
    bench.give(.replied(.snapshot(controls), realtimeOffset: 0))
    bench.connect()
    bench.settle()
    #expect(bench.bridge.isOnline)
    #expect(bench.published.count == 2 * MQTTLimit.controls + 2)
    // As fleet.md says.
    #expect(bench.allPublished.allSatisfy { $0.payload.count <= 20_000 && $0.topic.utf8.count <= 150 })
  }

  @Test func `sends a state with its value, its origin and its time`() {
    let bench = {
      var bench = Bench()
      bench.give(.replied(.volume, realtimeOffset: 1_795_393_072_122_000))
      bench.connect()
      bench.settle()
      return bench
    }()
    #expect(
      bench.payloads("stepperd/kiosk/volume/state") == [
        """
        {"value":50,"text":"50","sequence":1,"instance":"one","origin":"device","editing":false,"limit":"none",\
        "time":"2026-11-23T00:17:52.123Z"}
        """
      ])
  }

  @Test func `a loss is the problem until the broker has answered the subscription`() {
    var bench = Bench.online()
    #expect(bench.bridge.loss == nil)
    bench.give(.brokerLost("gone"))
    #expect(bench.bridge.loss == "gone")
    bench.pass(.seconds(1))
    bench.give(.brokerLost("refused"))
    bench.pass(.seconds(2))
    bench.give(.accepted)
    #expect(bench.bridge.loss == "refused")
    bench.give(.subscribed(refused: []))
    #expect(bench.bridge.loss == nil)
    // Whatever keeps the board from being online.
    bench.give(.daemonLost)
    bench.settle()
    #expect(bench.bridge.loss == nil)
    #expect(!bench.bridge.isOnline)
  }

  @Test func `says when it was there, at least once a minute, with the daemon and without`() {
    var bench = Bench()
    bench.give(.clock(realtimeOffset: 1_795_393_072_123_000 - bench.now.nanoseconds / 1_000))
    bench.connect()
    bench.settle()
    var times: [(at: Instant, text: String)] = []
    func note() {
      for message in bench.allPublished where message.topic == "stepperd/kiosk/last-seen" {
        times.append((bench.now, message.text))
      }
      bench.effects = []
    }
    note()
    #expect(times.map(\.text).first?.hasPrefix("2026-11-23T00:17:5") == true)
    for second in 0..<300 {
      if second == 150 { bench.give(.replied(.volume, realtimeOffset: bench.bridge.ages.realtimeOffset)) }
      bench.pass(.seconds(1))
      note()
    }
    #expect((6...7).contains(times.count))
    for (former, next) in zip(times, times.dropFirst()) {
      #expect(next.at - former.at <= .seconds(61))
      #expect(former.text < next.text)
    }
    // Not while there is no connection.
    bench.give(.brokerLost("gone"))
    bench.effects = []
    bench.pass(.seconds(120))
    #expect(bench.allPublished == [])
  }

  @Test func `notices within two minutes that the broker is silent, however long the keep-alive interval is`()
  {
    var bench = Bench()
    bench.give(.replied(.volume, realtimeOffset: 0))
    bench.connect()
    bench.give(.longKeepAlive)
    bench.settle()
    bench.pass(.seconds(300))
    #expect(bench.bridge.isOnline)
    #expect(bench.bridge.inFlight == 0)
    bench.acknowledges = false
    var seconds = 0
    while bench.bridge.loss == nil, seconds < 121 {
      bench.pass(.seconds(1))
      seconds += 1
    }
    #expect(bench.bridge.loss == MQTTBridge.unacknowledged)
    // The next connection has the interval that was asked for, which shows a loss without further messages.
    bench.acknowledges = true
    bench.pass(.seconds(2))
    bench.give(.accepted)
    bench.give(.subscribed(refused: []))
    bench.settle()
    bench.acknowledges = false
    bench.effects = []
    bench.pass(.seconds(121))
    #expect(bench.bridge.loss == nil)
    #expect(bench.allPublished.map(\.topic) == ["stepperd/kiosk/last-seen", "stepperd/kiosk/last-seen"])
  }

  @Test func `says offline while the daemon is away, and takes up again where it was`() {
    var bench = Bench.online()
    bench.give(.daemonLost)
    #expect(bench.lines == ["status offline"])
    bench.effects = []
    bench.give(.replied(.change(.example("volume", 60, sequence: 2)), realtimeOffset: 0))
    #expect(bench.lines == ["volume 60", "volume/state", "status online"])
  }

  @Test func `says offline if the daemon was never there`() {
    var bench = Bench()
    bench.connect()
    bench.settle()
    #expect(bench.lines == ["status offline"])
  }

  @Test func `pauses between attempts for a random part of a time that doubles up to a minute`() {
    var pauses: [[Duration]] = Array(repeating: [], count: 9)
    for seed in 0..<200 {
      var bench = Bench(seed: UInt64(seed))
      bench.give(.start)
      bench.pass(.seconds(1))
      for attempt in 0..<9 {
        let before = bench.now
        bench.give(.brokerLost("gone"))
        if case .waiting(let until) = bench.bridge.link { bench.now = until }
        pauses[attempt].append(bench.now - before)
        bench.give(.time)
      }
    }
    for (attempt, pauses) in pauses.enumerated() {
      let limit = Duration.seconds(min(60, 1 << attempt))
      #expect(pauses.allSatisfy { $0 >= .zero && $0 <= limit })
      let mean = pauses.reduce(.zero, +) / pauses.count
      #expect(mean > limit * 0.4 && mean < limit * 0.6)
    }
  }

  @Test func `reports a loss once, until its reason changes or it was online`() {
    var bench = Bench.online()
    for reason in ["refused", "refused", "no route", "no route"] {
      bench.give(.brokerLost(reason))
      if case .waiting(let until) = bench.bridge.link { bench.now = until }
      bench.give(.time)
    }
    let reasons = bench.reports.compactMap { report in
      if case .brokerLost(let reason, _) = report { reason } else { nil }
    }
    #expect(reasons == ["refused", "no route"])
  }

  @Test func `gives up an attempt that is not answered`() {
    var bench = Bench()
    bench.give(.start)
    bench.pass(.seconds(31))
    #expect(bench.effects.contains(.disconnect))
    #expect(bench.reports == [.brokerLost(MQTTBridge.silence, retryIn: .seconds(1))])
  }

  @Test func `pauses up to five minutes after attempts without an answer, and up to one after others`() {
    var longest = Duration.zero
    var bench = Bench()
    bench.give(.start)
    for attempt in 0..<200 {
      if case .waiting(let until) = bench.bridge.link { bench.now = until }
      bench.give(.time)
      let isSilent = attempt < 199
      switch (isSilent, attempt % 2 == 0) {
      case (true, true): bench.pass(.seconds(30))
      // The system says so, or the wait for each address has ended.
      case (true, false): bench.give(.brokerLost(MQTTBridge.silence))
      case (false, _): bench.give(.brokerLost("refused"))
      }
      guard case .waiting(let until) = bench.bridge.link else { return #expect(Bool(false)) }
      if isSilent {
        longest = max(longest, until - bench.now)
        #expect(until - bench.now <= .seconds(min(300, 1 << min(attempt, 9))))
      } else {
        #expect(until - bench.now <= .seconds(60))
      }
    }
    #expect(longest > .seconds(200))
  }

  @Test func `sends only the latest state after an absence of the broker`() {
    var bench = Bench.online()
    bench.give(.brokerLost("gone"))
    bench.effects = []
    for value in 1...1_000 {
      bench.give(
        .replied(.change(.example("volume", Double(value % 100), sequence: Int64(value))), realtimeOffset: 0))
    }
    #expect(bench.published == [])
    bench.pass(.seconds(1))
    bench.give(.accepted)
    bench.give(.subscribed(refused: []))
    bench.settle()
    #expect(bench.payloads("stepperd/kiosk/volume") == ["0"])
    #expect(bench.payloads("stepperd/kiosk/volume/state").count == 1)
  }

  @Test func `sends at most 20 states a second of a control, and the value at rest`() {
    var bench = Bench.online()
    bench.pass(.seconds(1))
    bench.effects = []
    for value in 1...1_000 {
      bench.give(
        .replied(.change(.example("volume", Double(value), sequence: Int64(value))), realtimeOffset: 0))
      bench.pass(.milliseconds(1))
    }
    let count = bench.payloads("stepperd/kiosk/volume/state").count
    #expect(count >= 19 && count <= 21)
    bench.pass(.milliseconds(50))
    #expect(bench.payloads("stepperd/kiosk/volume").last == "1000")
    #expect(bench.bridge.deadline == nil || !bench.bridge.echoesDue.isEmpty)
  }

  @Test func `begins no more than the broker acknowledges`() {
    var bench = Bench()
    bench.acknowledges = false
    let controls = (0..<100).map { number in
      (ControlInterface.Description.example("c\(number)"), ControlInterface.State.example("c\(number)"))
    }
    bench.give(.replied(.snapshot(controls), realtimeOffset: 0))
    bench.connect()
    bench.settle()
    #expect(bench.published.count <= MQTTLimit.inFlight + 1)
    #expect(!bench.bridge.isOnline)
    for _ in 0..<300 { bench.give(.acknowledged) }
    #expect(bench.published.count == 203)
    #expect(bench.lines.last == "status online")
  }

  @Test func `takes for its own what a broker passes on late or twice`() {
    var bench = Bench()
    bench.echoes = false
    let controls = (0..<MQTTLimit.controls).map { number in
      (ControlInterface.Description.example("c\(number)"), ControlInterface.State.example("c\(number)"))
    }
    bench.give(.replied(.snapshot(controls), realtimeOffset: 0))
    bench.connect()
    bench.settle()
    let sent = bench.published
    #expect(sent.count == 2 + 2 * controls.count)
    bench.effects = []
    // Some do so more than once.
    for message in sent + sent { bench.give(.received(MQTTMessage(message.topic, message.payload))) }
    bench.pass(.seconds(2))
    #expect(bench.lines == ["status online"], "nobody has overwritten anything")
    bench.effects = []
    bench.message("stepperd/kiosk/c0", "49")
    bench.pass(.seconds(2))
    #expect(bench.lines == ["c0 50", "c0/state"])
  }

  @Test func `reports once that it is online, however often another overwrites its status`() {
    var bench = Bench.online()
    for _ in 0..<20 {
      bench.message("stepperd/kiosk/status", "offline")
      bench.pass(.seconds(1))
    }
    #expect(bench.lines.count(where: { $0 == "status online" }) == 20)
    #expect(bench.reports == [])
  }

  @Test func `says online again if an old will comes late`() {
    var bench = Bench.online()
    bench.message("stepperd/kiosk/status", "online")
    bench.message("stepperd/kiosk/status", "offline")
    bench.pass(.seconds(2))
    #expect(bench.lines == ["status online"])
    // Another board of the same ID cannot make it talk without end.
    for _ in 0..<100 {
      bench.message("stepperd/kiosk/status", "offline")
      bench.pass(.milliseconds(10))
    }
    #expect(bench.lines.count <= 3)
  }

  @Test func `reports a broker that keeps what it is sent to itself`() {
    var bench = Bench.online()
    bench.pass(.seconds(11))
    #expect(bench.reports == [.silentBroker(topic: "stepperd/kiosk/status")])
  }

  @Test func `says online only when a message of its own has come back`() throws {
    var bench = Bench()
    bench.echoes = false
    bench.give(.replied(.volume, realtimeOffset: 0))
    bench.connect()
    bench.settle()
    #expect(bench.payloads("stepperd/kiosk/volume") == ["50"])
    bench.pass(.seconds(11))
    #expect(!bench.bridge.isOnline)
    #expect(bench.payloads("stepperd/kiosk/status") == [])
    let silent = ["stepperd/kiosk/info", "homeassistant/device/kiosk/config"]
    #expect(bench.bridge.silentTopics == Set(silent))
    #expect(Set(bench.reports) == Set(silent.map { .silentBroker(topic: $0) }))
    #expect(bench.bridge.silentTopic == silent[0])
    // Both are sent again, once a minute, and reported once.
    bench.pass(.seconds(60))
    let info = bench.published.filter { $0.topic == silent[0] }
    #expect(info.count == 3)
    #expect(bench.payloads(silent[1]).count == 3)
    #expect(bench.reports.count == 2)
    try bench.message(silent[0], #require(info.last).text)
    #expect(bench.bridge.isOnline)
    #expect(bench.bridge.silentTopics == [silent[1]])
    #expect(bench.payloads("stepperd/kiosk/status") == ["online"])
  }

  @Test func `repairs what another has written to its topics, after a second and in turn`() {
    var bench = Bench.online()
    bench.message("stepperd/kiosk/volume", "99")
    bench.message("stepperd/kiosk/volume/state", "{}")
    bench.message("stepperd/kiosk/info", "")
    bench.message("stepperd/kiosk/light", "99")
    bench.pass(.milliseconds(900))
    #expect(bench.published == [])
    bench.pass(.milliseconds(200))
    #expect(bench.lines.count == 3)
    #expect(bench.payloads("stepperd/kiosk/volume") == ["50"])
    #expect(bench.payloads("stepperd/kiosk/volume/state").count == 1)
    #expect(bench.payloads("stepperd/kiosk/info").count == 1)
    // What it has sent itself comes back, and is no news.
    for message in bench.published where message.topic.hasPrefix("stepperd/kiosk/volume") {
      bench.give(.received(MQTTMessage(message.topic, message.payload)))
    }
    bench.effects = []
    bench.pass(.seconds(5))
    #expect(bench.published == [])
    bench.message("homeassistant/device/kiosk/config", "")
    bench.pass(.seconds(12))
    #expect(bench.payloads("homeassistant/device/kiosk/config").count == 1)
    // A hand that turns meanwhile is not delayed, and one who writes without end gets one answer a second.
    bench.effects = []
    bench.message("stepperd/kiosk/volume", "98")
    bench.give(.replied(.change(.example("volume", 60, sequence: 9)), realtimeOffset: 0))
    #expect(bench.payloads("stepperd/kiosk/volume") == ["60"])
    bench.effects = []
    for _ in 0..<1_000 {
      bench.message("stepperd/kiosk/volume", "97")
      bench.pass(.milliseconds(10))
    }
    #expect(bench.payloads("stepperd/kiosk/volume").count <= 11)
  }

  @Test func `overwrites what another says of it while the daemon is away`() {
    var bench = Bench.online()
    bench.message("stepperd/kiosk/status", "online")
    bench.give(.daemonLost)
    bench.message("stepperd/kiosk/status", "offline")
    bench.effects = []
    bench.message("stepperd/kiosk/status", "online")
    bench.pass(.milliseconds(900))
    #expect(bench.published == [])
    bench.pass(.seconds(3))
    #expect(bench.lines == ["status offline"])
    for _ in 0..<100 {
      bench.message("stepperd/kiosk/status", "online")
      bench.pass(.milliseconds(10))
    }
    #expect(bench.lines.count <= 3)
    bench.pass(.seconds(2))
    bench.effects = []
    bench.give(.replied(.volume, realtimeOffset: 0))
    #expect(bench.lines.last == "status online")
  }

  @Test func `goes on with other settings of the same topics`() {
    var bench = Bench.online()
    var settings = Bench.settings
    settings.name = "Kitchen"
    settings.advisoryControls = ["volume"]
    bench.give(.configured(settings))
    let announced = bench.payloads("homeassistant/device/kiosk/config")
    #expect(announced.count == 2)
    #expect(announced.first?.contains("\"volume\":{\"p\":\"number\"}") == true)
    #expect(announced.last?.contains("\"name\":\"Kitchen\"") == true)
    #expect(announced.last?.contains("\"volume:text\":{\"p\":\"text\"") == true)
    #expect(bench.payloads("stepperd/kiosk/status") == [])
    bench.effects = []
    bench.give(.configured(settings))
    #expect(bench.effects == [])
    settings.id = "other"
    bench.give(.configured(settings))
    #expect(bench.effects == [])
  }

  @Test func `ends with offline, and without the will`() {
    var bench = Bench.online()
    bench.give(.stop)
    #expect(bench.lines == ["status offline"])
    #expect(bench.effects.suffix(2) == [.disconnect, .stopped])
    var slow = Bench.online()
    slow.acknowledges = false
    slow.give(.stop)
    #expect(!slow.effects.contains(.stopped))
    slow.pass(.seconds(2))
    #expect(slow.effects.last == .stopped)
    // Before it has sent anything: the broker may have an `online` of before, and gets no will.
    var early = Bench()
    early.connect()
    early.give(.stop)
    #expect(early.lines == ["status offline"])
    var never = Bench()
    never.give(.stop)
    #expect(never.effects == [.disconnect, .stopped])
  }
}
