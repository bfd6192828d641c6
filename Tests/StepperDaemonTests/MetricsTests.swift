import StepperInterfaces
import Testing
import Varlink
@testable import StepperDaemon

/// What the daemon counts, from outside.
@Suite(.timeLimit(.minutes(10))) struct MetricsTests {
  private func metrics(_ client: WireClient) throws -> [ManagerInterface.Metric] {
    let reply = try client.call(ManagerInterface.GetStatus.self, NoParameters())
    return try #require(reply.metrics)
  }

  private func value(_ name: String, _ metrics: [ManagerInterface.Metric], object: String? = nil) -> Double? {
    metrics.first { $0.name == name && $0.object == object }?.value
  }

  @Test func `input, changes, repeats and refusals are counted`() throws {
    let daemon = try RunningDaemon()
    let client = try daemon.client()
    let before = try metrics(client)
    _ = try client.call(DeviceInterface.Turn.self, .init(device: "panel", input: "dial", detents: 3))
    let fails = try? client.call(ControlInterface.Set.self, .init(control: "volume", value: 1_000))
    #expect(fails == nil)
    let after = try metrics(client)
    #expect(
      value("eventsRead", after, object: "panel") == (value("eventsRead", before, object: "panel") ?? 0) + 1)
    #expect(
      value("framesRead", after, object: "panel") == (value("framesRead", before, object: "panel") ?? 0) + 1)
    #expect(value("refusals", after) == 1)
    #expect((value("changes", after) ?? 0) > value("changes", before) ?? 0)
    #expect(value("clients", after) == 1)
    #expect(value("problems", after) == 0)
    try daemon.stop()
  }

  @MainActor @Test func `names are unique, and descriptions are no sentences`() {
    let names = MetricFamily<Daemon>.all.map(\.name)
    #expect(Set(names).count == names.count)
    for family in MetricFamily<Daemon>.all { #expect(!family.description.hasSuffix("."), "\(family.name)") }
  }

  @Test func `systemd's collector gets one reply a metric, and the last one ends it`() throws {
    let daemon = try RunningDaemon()
    let client = try daemon.client()
    let listed = try client.replies(to: MetricsInterface.List.self, NoParameters())
    let names = Set(listed.map(\.name))
    #expect(names.allSatisfy { $0.hasPrefix("org.stepperd.") })
    let described = try client.replies(to: MetricsInterface.Describe.self, NoParameters())
    #expect(names.isSubset(of: described.map(\.name)))
    #expect(described.first { $0.name == "org.stepperd.changes" }?.type == .counter)
    // The connection goes on.
    #expect(try metrics(client).isEmpty == false)
    try daemon.stop()
  }
}
