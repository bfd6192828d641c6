import StepperInterfaces
import Synchronization
import TestSupport
import Testing
import Varlink

@testable import StepperClient

extension PeerTests {
  /// A device that a program brings, and a daemon that loses answers.
  @Suite struct `A device of a program` {
    private static let knob = ProviderInterface.Attach.Parameters(
      identity: .init(provider: "test", name: "Knob"), keys: ["BTN_0"], relative: [.init(code: "REL_DIAL")],
      absolute: [.init(code: "ABS_X", minimum: 0, maximum: 100)])

    /// A daemon that answers the reports from the first on in this way; it attaches the device whenever it is asked.
    private func daemon(_ answers: [Answer]) throws -> AnsweringPeer {
      let left = Left(answers)
      return try AnsweringPeer { call in
        guard call.method == ProviderInterface.Report.name else {
          return [try .of(ProviderInterface.Attach.self, .init(handle: "h", device: "knob"))]
        }
        switch left.take() {
        case .lost: return []
        case .unknown: return [VarlinkReply(VarlinkFailure(ProviderInterface.NoSuchHandle(handle: "h")))]
        case nil: return [VarlinkReply(parameters: .empty)]
        }
      }
    }

    private enum Answer { case lost, unknown }

    private final class Left: Sendable {
      private let answers: Mutex<[Answer]>
      init(_ answers: [Answer]) { self.answers = Mutex(answers) }
      func take() -> Answer? { answers.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
    }

    private func frame(_ code: String, _ value: Int64) -> [ProviderInterface.Frame] {
      [.init(events: [.init(code: code, value: value)])]
    }

    private func heard(_ daemon: AnsweringPeer) -> [String] {
      daemon.heard.map { $0.hasPrefix("Attach") ? "Attach" : $0 }
    }

    @Test func `a turn whose answer is lost is not done twice`() async throws {
      let daemon = try daemon([.lost])
      try await onThread {
        let knob = StepperProvider(Self.knob, address: daemon.path)
        try knob.report(frame("REL_DIAL", 3))
        try knob.report(frame("REL_DIAL", 4))
      }
      #expect(
        heard(daemon) == [
          "Attach", #"Report {"handle":"h","frames":[{"events":[{"code":"REL_DIAL","value":3}]}]}"#, "Attach",
          #"Report {"handle":"h","frames":[{"events":[{"code":"REL_DIAL","value":4}]}]}"#,
        ])
    }

    @Test func `how it stands is told when it is attached again`() async throws {
      let daemon = try daemon([.lost])
      try await onThread {
        let knob = StepperProvider(Self.knob, address: daemon.path)
        try knob.report(frame("ABS_X", 70) + frame("REL_DIAL", 1) + frame("BTN_0", 1))
      }
      let lost = #"{"keysDown":["BTN_0"],"positions":[{"code":"ABS_X","value":70}]}"#
      #expect(heard(daemon).suffix(2) == ["Attach", #"Report {"handle":"h","frames":[],"lost":\#(lost)}"#])
    }

    @Test func `what the daemon has refused for another handle is reported again`() async throws {
      let daemon = try daemon([.unknown])
      try await onThread {
        let knob = StepperProvider(Self.knob, address: daemon.path)
        try knob.report(frame("BTN_0", 1))
        try knob.report(frame("BTN_0", 0), lost: .init(keysDown: [], positions: []))
      }
      let press = #"Report {"handle":"h","frames":[{"events":[{"code":"BTN_0","value":1}]}]}"#
      #expect(heard(daemon).prefix(4) == ["Attach", press, "Attach", press])
    }

    @Test func `where its axes are is told with the attachment, and no report moves them`() async throws {
      let daemon = try daemon([.lost])
      try await onThread {
        let knob = StepperProvider(Self.knob, address: daemon.path)
        try knob.report(frame("ABS_X", 170))
      }
      #expect(daemon.heard.count == 3 && daemon.heard.last?.contains(#""value":100"#) == true)
    }

    @Test func `a daemon that is gone is told when it is back`() async throws {
      let daemon = try daemon([.lost, .lost])
      let code = try await onThread {
        let knob = StepperProvider(Self.knob, address: daemon.path)
        let code = errorCode { try knob.report(frame("BTN_0", 1)) }
        try knob.report(frame("REL_DIAL", 1))
        return code
      }
      // The second answer that is lost is that to how it stands.
      let lost = #"{"keysDown":["BTN_0"],"positions":[]}"#
      #expect(code == .disconnected)
      #expect(
        heard(daemon).suffix(3) == [
          "Attach", #"Report {"handle":"h","frames":[],"lost":\#(lost)}"#,
          #"Report {"handle":"h","frames":[{"events":[{"code":"REL_DIAL","value":1}]}]}"#,
        ])
    }
  }
}
