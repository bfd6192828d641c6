import StepperCore
import StepperInterfaces
import Testing
@testable import StepperMQTT

@Suite("Another client with the same ID") struct TakeoverTests {
  private var bench = Bench.online()

  /// The connection is lost and made again, with what the broker has retained as `info`.
  private mutating func reconnect(info mark: String?) {
    bench.give(.brokerLost("closed the connection"))
    if case .waiting(let until) = bench.bridge.link { bench.now = max(bench.now, until) }
    bench.give(.time)
    bench.give(.accepted)
    bench.give(.subscribed(refused: []))
    // Version 0.1.0 has no mark.
    let member = mark.map { "\"bridge\":\"\($0)\"," } ?? ""
    bench.message("stepperd/kiosk/info", "{\(member)\"controls\":[]}", isRetained: true)
    bench.settle()
  }
  private var count: Int { bench.reports.count { $0 == .takenOver } }
  private var isTakenOver: Bool { bench.bridge.isTakenOver(at: bench.now) }

  @Test mutating func `is reported once, if the broker says so`() {
    for _ in 0..<5 {
      bench.give(.brokerLost("closed the connection", isTakeover: true))
      #expect(isTakenOver)
      bench.pass(.seconds(61))
      bench.give(.accepted)
      bench.give(.subscribed(refused: []))
      bench.settle()
    }
    #expect(count == 1)
    // Before the loss, so that its line of the log can be left out.
    let report = bench.reports.firstIndex { if case .brokerLost = $0 { true } else { false } }
    #expect(bench.reports.firstIndex(of: .takenOver)! < report!)
    bench.pass(.seconds(180))
    #expect(!isTakenOver)
    bench.give(.brokerLost("closed the connection", isTakeover: true))
    #expect(count == 2)
  }

  @Test mutating func `is known by its info, if the broker only closes the connection`() {
    reconnect(info: "two")
    #expect(!isTakenOver)
    reconnect(info: bench.bridge.takeovers.mark)
    #expect(!isTakenOver)
    reconnect(info: "three")
    #expect(isTakenOver)
    reconnect(info: "three")
    #expect(count == 1)
  }

  @Test mutating func `is none where the broker has an info of this board, none, or one of long ago`() {
    let own = bench.bridge.takeovers.mark
    for mark in ["two", own, nil, own, "two", nil] {
      reconnect(info: mark)
      bench.pass(.seconds(200))
    }
    #expect(count == 0)
    #expect(bench.payloads("stepperd/kiosk/info").allSatisfy { $0.contains("\"bridge\":\"\(own)\"") })
  }

  @Test mutating func `is none at the first connection of a board, whatever is retained there`() {
    bench = Bench()
    bench.give(.replied(.volume, realtimeOffset: 0))
    bench.give(.start)
    bench.pass(.seconds(1))
    reconnect(info: "two")
    reconnect(info: "one")
    #expect(count == 0)
  }
}
