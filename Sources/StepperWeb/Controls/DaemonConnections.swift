package import Logging
internal import StepperClient
internal import StepperInterfaces
internal import Varlink

/// The connections to the daemon: one that follows states, one for calls and holds, one for descriptions in other
/// languages, and one for moments while a page wants them. No more, however many browsers there are.
package final class DaemonConnections: Sendable {
  /// How long the daemon may take for an answer.
  static let timeout = Duration.seconds(2)
  /// The most time between two attempts to connect.
  static let longestPause = Duration.milliseconds(500)
  /// How long nothing may come before the daemon is asked whether it is there, and how long it may take then.
  static let heartbeat = Duration.seconds(1)

  let calls: StepperClient
  let hub: ControlHub
  let describer: Describer
  let keeper: HoldKeeper
  /// Signalled when it is known whether the daemon is reachable.
  private let heard = Signal()
  private let patterns: [String]?
  private let language: String
  private let logger: Logger

  /// To the daemon at `address`, or where it usually is. Only controls of `match` are followed; none means all. States
  /// come with what screen readers say in `language`.
  package init(address: String?, match: [String], language: String, hub: ControlHub, logger: Logger) {
    calls = StepperClient(address: address, timeout: Self.timeout, isRestricted: true)
    describer = Describer(address: address, language: language)
    keeper = HoldKeeper(calls: calls, hub: hub)
    patterns = match.isEmpty ? nil : match
    (self.language, self.hub, self.logger) = (language, hub, logger)
  }

  /// Follows the daemon until the task is cancelled.
  package func run() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.followStates() }
      group.addTask { await self.followMoments() }
      group.addTask { await self.keepAsking() }
    }
  }

  /// Returns when the daemon has answered or cannot be reached, after `limit` at the latest.
  package func begin(within limit: Duration) async {
    _ = await first(within: limit) { await self.heard.wait() }
  }

  /// The result of `work`; nil: it takes longer than `limit`, and is cancelled.
  private func first<Result: Sendable>(
    within limit: Duration, _ work: @escaping @Sendable () async -> Result
  ) async -> Result? {
    await withTaskGroup(of: Result?.self) { group in
      group.addTask { await work() }
      group.addTask {
        try? await Task.sleep(for: limit)  // Cancelled, the result is not used.
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
  }

  private func followStates() async {
    let follower = calls.follower(
      .init(match: patterns, descriptions: true, language: language), longestPause: Self.longestPause)
    do throws(StepperClientError) {
      while let event = try await follower.next() { await take(event) }
    } catch {
      await take(.lost(error))
    }
  }

  private func take(_ event: Followed<ControlInterface.Subscribe.Reply>) async {
    defer { heard.signal() }
    switch event {
    case .reply(let reply):
      hub.change { table in
        table.apply(reply)
        _ = table.note(.open)
        return true
      }
    case .lost(let error):
      note(.lost(error.message))
      await keeper.forgetAll()
    // A reply follows.
    case .regained: break
    }
  }

  private func note(_ connection: DaemonReachability) {
    hub.change { table in
      guard table.note(connection) else { return false }
      if let problem = connection.problem {
        logger.warning("not connected to stepperd: \(problem)")
      } else {
        logger.info("connected to stepperd")
      }
      return true
    }
  }

  /// Follows moments while a page wants them.
  private func followMoments() async {
    while !Task.isCancelled {
      await hub.momentDemand.wait()
      guard hub.wantsMoments else { continue }
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await self.passMoments() }
        while hub.wantsMoments, !Task.isCancelled { await hub.momentDemand.wait() }
        group.cancelAll()
      }
    }
  }

  private func passMoments() async {
    let follower = calls.follower(
      ControlInterface.SubscribeMoments.Parameters(match: patterns), longestPause: Self.longestPause)
    do throws(StepperClientError) {
      while let event = try await follower.next() {
        switch event {
        case .reply(let reply): hub.add(reply)
        // The moments of the time without a connection are lost.
        case .lost(let error): logger.warning("moments cannot be followed: \(error)")
        case .regained: break
        }
      }
    } catch {
      logger.warning("moments cannot be followed: \(error)")
    }
  }

  /// Calls the daemon every second while a page is open, so that one that hangs is noticed.
  private func keepAsking() async {
    while !Task.isCancelled {
      try? await Task.sleep(for: Self.heartbeat)  // Cancelled, the loop ends.
      guard hub.streamCount > 0, hub.read({ $0.connection != .never }) else { continue }
      let isAnswered = await first(within: Self.heartbeat) {
        // A call that fails is an answer, too; the follower reports a connection that is closed.
        (try? await self.calls.call(ServiceInterface.GetInfo.self, .init())) != nil
      }
      switch (isAnswered, hub.read(\.connection)) {
      case (nil, .open): note(.lost(Self.silence))
      case (true?, .lost(Self.silence)): note(.open)
      default: break
      }
    }
  }

  private static let silence = "it does not answer"
}
