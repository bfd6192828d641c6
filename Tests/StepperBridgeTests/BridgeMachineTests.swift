import StepperClient
import StepperInterfaces
import Testing

@testable import StepperBridge

/// Of a control whose description was not in the snapshot, as of a choice in a very large configuration.
@Suite struct BridgeMachineTests {
  private struct Bench {
    var machine = BridgeMachine("source", .same, BridgeRules(rate: 1_000))
    var now = BridgeMachine.Instant.now

    mutating func advance(_ input: BridgeMachine.Input? = nil, after pause: Duration = .zero) -> [String] {
      now = now.advanced(by: pause)
      return machine.advance(to: now, applying: input).map { effect in
        switch effect {
        case .set(let write): "set \(write.value)"
        case .describe: "describe"
        case .write(let value): "write \(value)"
        case .report(let report): "report \(report)"
        }
      }
    }

    mutating func replied(_ value: Double, _ sequence: Int64, isFirst: Bool = false) -> [String] {
      let state = ControlInterface.State(
        control: "source", value: value, limit: .none, origin: .client, live: true, turned: 0, presses: 0,
        pressed: false, editing: false, canIncrement: true, canDecrement: true, sequence: sequence,
        monotonicMicroseconds: 0)
      return advance(
        .replied(
          .init(snapshot: isFirst, instance: "1", sequence: sequence, coalesced: 0, states: [state])))
    }
  }

  private static let description = ControlInterface.Description(
    control: "source", kind: .choice, profile: "uikit", minimum: 0, maximum: 2, digits: 0, format: .init(),
    choices: ["radio", "disc", "tape"], wrap: false, writable: true)
  private static let late = StepperClientError(.timedOut, "no answer")
  private static let noControl = "report \(BridgeReport.noControl)"
  private static let regained = "report \(BridgeReport.daemonRegained)"

  @Test func `is asked for again if the daemon does not answer in time`() {
    var bench = Bench()
    #expect(bench.replied(1, 1, isFirst: true) == ["describe"])
    #expect(bench.advance(.described(.failure(Self.late))) == [])
    #expect(bench.advance(after: .milliseconds(100)) == [])
    #expect(bench.advance(after: .milliseconds(200)) == ["describe"])
    #expect(bench.advance(.described(.success(Self.description))) == [])
    _ = bench.advance(.outside(.terms(.init(range: 0...2))))
    #expect(bench.advance(.outside(.value(1))).contains("report \(BridgeReport.connected)"))
  }

  @Test func `is missing only if the daemon says so`() {
    var bench = Bench()
    _ = bench.replied(1, 1, isFirst: true)
    #expect(bench.advance(.described(.success(nil))) == [Self.noControl])
  }

  @Test func `is asked for again after the connection was lost, and a late answer is nothing`() {
    var bench = Bench()
    _ = bench.replied(1, 1, isFirst: true)
    #expect(bench.advance(.daemonLost("gone")) == ["report \(BridgeReport.daemonLost("gone"))"])
    #expect(bench.advance(.described(.success(nil))) == [])
    #expect(bench.replied(2, 2) == [Self.regained, "describe"])
    #expect(bench.advance(.described(.success(Self.description))) == [])
  }

  @Test func `is waited for while the control changes`() {
    var bench = Bench()
    #expect(bench.replied(1, 1, isFirst: true) == ["describe"])
    #expect(bench.replied(2, 2) == [], "the daemon was never lost")
    #expect(bench.advance(.described(.success(Self.description))) == [])
  }
}
