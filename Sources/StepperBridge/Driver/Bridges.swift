public import StepperClient
internal import StepperInterfaces

/// Keeps controls of a daemon equal with things outside; ``Bridge`` says how.
///
/// ```swift
/// var bridges = Bridges(StepperClient())
/// bridges.keep("volume", equalTo: Mixer())
/// await bridges.run()
/// ```
/// One connection follows the daemon and another one writes, however many bridges there are. A daemon and an outside
/// that are not there, or go away, are waited for.
public struct Bridges: Sendable {
  private let client: StepperClient
  private var parts: [(runner: BridgeRunner, run: @Sendable () async -> Void)] = []

  /// The most bridges there may be.
  public static let limit = 64
  /// The most time between two attempts to connect to the daemon.
  static let longestPause = Duration.seconds(1)

  /// Bridges to controls of the daemon that `client` talks to.
  public init(_ client: StepperClient = StepperClient()) { self.client = client }

  /// Adds a bridge between `control` and `outside`. `report` is called with what becomes of it, in order.
  public mutating func keep(
    _ control: String, equalTo outside: some BridgeOutside, rules: BridgeRules = BridgeRules(),
    scale: BridgeScale = .same, report: @escaping @Sendable (BridgeReport) -> Void = { _ in }
  ) {
    precondition(parts.count < Self.limit, "there are \(Self.limit) bridges already")
    let runner = BridgeRunner(client, control, scale, rules, report: report)
    parts.append((runner, { await OutsideLoop(outside: outside, runner: runner).run() }))
  }

  /// Runs them until the task is cancelled.
  public func run() async {
    guard !parts.isEmpty else { return }
    await withTaskGroup(of: Void.self) { group in
      for part in parts {
        group.addTask { await part.run() }
        group.addTask { await part.runner.writeControl() }
      }
      await follow()
      group.cancelAll()
      for part in parts { await part.runner.end() }
    }
  }

  private var runners: [BridgeRunner] { parts.map(\.runner) }

  /// Follows the controls until the task is cancelled.
  private func follow() async {
    let names = Array(Set(runners.map(\.control))).sorted()
    while !Task.isCancelled {
      do throws(StepperClientError) {
        let follower = client.follower(
          .init(match: names, descriptions: true), longestPause: Self.longestPause)
        while let event = try await follower.next() { await take(event) }
      } catch {
        for runner in runners { await runner.daemonLost(error) }
        // Whatever the daemon refused, it may accept when it is another one.
        try? await Task.sleep(for: Self.longestPause)  // Cancelled, the loop ends.
      }
    }
  }

  private func take(_ event: Followed<ControlInterface.Subscribe.Reply>) async {
    switch event {
    case .lost(let error): for runner in runners { await runner.daemonLost(error) }
    // The reply that follows says whether it is the same daemon.
    case .regained: break
    case .reply(let reply):
      for runner in runners { await pass(reply, to: runner) }
    }
  }

  private func pass(_ reply: ControlInterface.Subscribe.Reply, to runner: BridgeRunner) async {
    let state = reply.states.first { $0.control == runner.control }
    guard reply.snapshot else {
      await runner.daemonResumed()
      if let state { await runner.take(state) }
      return
    }
    var description = reply.descriptions?.first { $0.control == runner.control }
    if description == nil, state != nil {
      // The reply had no room for it. Without one the control is waited for, as if it were not there.
      description = try? await client.list(runner.control).first?.description
    }
    await runner.snapshot(description, state)
  }
}
