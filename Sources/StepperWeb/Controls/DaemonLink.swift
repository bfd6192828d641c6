package import Logging
internal import StepperClient
internal import StepperInterfaces
internal import Varlink

/// The connections to the daemon: one that follows states, one for calls and holds, one for descriptions in other
/// languages, and one for moments while a page wants them. No more, however many browsers there are.
package final class DaemonLink: Sendable {
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
  /// Signalled when the daemon has been heard of for the first time: that it is there, or that it is not.
  private let heard = Signal()
  private let patterns: [String]?
  private let language: String
  private let logger: Logger

  /// To the daemon at `address`, or where it usually is. Only controls of `match` are followed; none means all. States
  /// come with what screen readers say in `language`.
  package init(address: String?, match: [String], language: String, hub: ControlHub, logger: Logger) {
    calls = StepperClient(address: address, timeout: Self.timeout)
    describer = Describer(address: address, language: language)
    keeper = HoldKeeper(calls: calls, hub: hub, log: BrowserLog(logger))
    patterns = match.isEmpty ? nil : match
    (self.language, self.hub, self.logger) = (language, hub, logger)
  }

  /// Follows the daemon until the task is cancelled.
  package func run() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.followStates() }
      group.addTask { await self.followMoments() }
      group.addTask { await self.keepAsking() }
      group.addTask { await self.keeper.run() }
    }
  }

  /// Returns when the daemon has answered or cannot be reached, after `limit` at the latest.
  package func begin(within limit: Duration) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.heard.wait() }
      group.addTask { try? await Task.sleep(for: limit) }  // Cancelled, nobody waits.
      await group.next()
      group.cancelAll()
    }
  }

  private func followStates() async {
    var spoken: String? = language
    while !Task.isCancelled {
      do throws(StepperClientError) {
        let follower = calls.follower(
          .init(match: patterns, descriptions: true, language: spoken), longestPause: Self.longestPause)
        while let event = try await follower.next() { await take(event) }
      } catch {
        if error.refuses("language"), spoken != nil {
          // An older daemon; a newer one may take its place.
          spoken = nil
          continue
        }
        spoken = language
        await take(.lost(error))
        // Whatever the daemon refused, it may accept when it is another one.
        try? await Task.sleep(for: Self.longestPause)  // Cancelled, the loop ends.
      }
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
    // The reply that follows says it.
    case .regained: break
    }
  }

  private func note(_ connection: DaemonConnection) {
    hub.change { table in
      guard table.note(connection) else { return false }
      if let problem = connection.problem {
        logger.warning("the daemon is away: \(problem)")
      } else {
        logger.info("the daemon is there")
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
    while !Task.isCancelled {
      do throws(StepperClientError) {
        let follower = calls.follower(
          ControlInterface.SubscribeMoments.Parameters(match: patterns), longestPause: Self.longestPause)
        while let event = try await follower.next() {
          // Those of the time without a connection are lost.
          if case .reply(let reply) = event { hub.add(reply) }
        }
      } catch {
        logger.warning("moments cannot be followed: \(error)")
        try? await Task.sleep(for: .seconds(1))  // Cancelled, the loop ends.
      }
    }
  }

  /// Asks the daemon every second while a page is open, so that one that hangs is noticed.
  private func keepAsking() async {
    while !Task.isCancelled {
      try? await Task.sleep(for: Self.heartbeat)  // Cancelled, the loop ends.
      guard hub.streamCount > 0, hub.read({ $0.connection != .never }) else { continue }
      await ask()
    }
  }

  private func ask() async {
    switch await answer() {
    case .there: if hub.read({ $0.connection == .lost(Self.silence) }) { note(.open) }
    // The follower hears of a connection that is closed.
    case .failed: break
    case .silent: if hub.read({ $0.connection == .open }) { note(.lost(Self.silence)) }
    }
  }

  private enum Answer { case there, failed, silent }

  private static let silence = "it does not answer"

  private func answer() async -> Answer {
    await withTaskGroup(of: Answer.self) { group in
      group.addTask {
        // Whatever it answers, it is there; only an answer is wanted.
        (try? await self.calls.call(ServiceInterface.GetInfo.self, .init())) == nil ? .failed : .there
      }
      group.addTask {
        try? await Task.sleep(for: Self.heartbeat)  // Cancelled, nobody wants the result.
        return .silent
      }
      let first = await group.next() ?? .failed
      group.cancelAll()
      return first
    }
  }
}

extension StepperClientError {
  /// Whether the daemon does not know a parameter.
  fileprivate func refuses(_ parameter: String) -> Bool {
    failure?.decode(ServiceInterface.InvalidParameter.self)?.parameter == parameter
  }
}
