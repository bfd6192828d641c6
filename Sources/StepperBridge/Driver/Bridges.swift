public import StepperClient

/// Keeps controls of a daemon equal to things outside, by the rules of ``Bridge``.
///
/// ```swift
/// var bridges = Bridges(StepperClient())
/// bridges.keep("volume", equalTo: Mixer())
/// await bridges.run()
/// ```
/// One connection follows the daemon and another one writes, however many bridges there are. A daemon or an outside that is disconnected
/// is waited for.
public struct Bridges: Sendable {
  private let client: StepperClient
  private struct Part: Sendable {
    let control: String
    let take: @Sendable (BridgeMachine.Input) async -> Void
    let run: @Sendable () async -> Void
  }
  private var parts: [Part] = []

  /// The most bridges.
  public static let limit = 64
  /// The longest pause between two attempts to connect to the daemon.
  static let longestPause = Duration.seconds(1)

  /// Creates bridges to the daemon that `client` talks to.
  public init(_ client: StepperClient = StepperClient()) { self.client = client }

  /// Adds a bridge between `control` and `outside`. `report` is called with the bridge's states and events, in order.
  public mutating func keep(
    _ control: String, equalTo outside: some BridgeOutside, rules: BridgeRules = BridgeRules(),
    scale: BridgeScale = .same, report: @escaping @Sendable (BridgeReport) -> Void = { _ in }
  ) {
    precondition(parts.count < Self.limit, "there are \(Self.limit) bridges already")
    let runner = BridgeRunner(client, control, outside, scale, rules, report: report)
    parts.append(Part(control: control, take: { await runner.take($0) }, run: { await runner.run() }))
  }

  /// Runs the bridges until the task is cancelled.
  public func run() async {
    guard !parts.isEmpty else { return }
    await withTaskGroup(of: Void.self) { group in
      for part in parts { group.addTask { await part.run() } }
      await follow()
      group.cancelAll()
    }
  }

  /// Follows the controls until the task is cancelled.
  private func follow() async {
    let names = Array(Set(parts.map(\.control))).sorted()
    while !Task.isCancelled {
      do throws(StepperClientError) {
        let follower = client.follower(
          .init(match: names, descriptions: true), longestPause: Self.longestPause)
        while let event = try await follower.next() {
          switch event {
          case .lost(let error): await pass(.daemonLost(error.line))
          // The next reply says whether it is the same daemon.
          case .regained: break
          case .reply(let reply): await pass(.replied(reply))
          }
        }
      } catch {
        await pass(.daemonLost(error.line))
        // A different daemon may accept what this one refuses.
        try? await Task.sleep(for: Self.longestPause)  // When cancelled, the loop ends.
      }
    }
  }

  private func pass(_ input: BridgeMachine.Input) async {
    for part in parts { await part.take(input) }
  }
}
