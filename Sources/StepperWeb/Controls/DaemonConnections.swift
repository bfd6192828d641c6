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

  let calls: StepperClient
  let hub: ControlHub
  let describer: Describer
  let keeper: HoldKeeper
  let pulse: DaemonPulse
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
    pulse = DaemonPulse(calls: calls, hub: hub, logger: logger)
    patterns = match.isEmpty ? nil : match
    (self.language, self.hub, self.logger) = (language, hub, logger)
  }

  /// Follows the daemon until the task is cancelled.
  package func run() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.followStates() }
      group.addTask { await self.followMoments() }
      group.addTask { await self.pulse.keepAsking() }
    }
  }

  /// Returns when the daemon has answered or cannot be reached, after `limit` at the latest.
  package func begin(within limit: Duration) async {
    _ = await first(within: limit) { await self.heard.wait() }
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
      let reply = await completed(reply)
      hub.change { table in
        table.apply(reply)
        _ = table.note(.open)
        return true
      }
      pulse.hear()
    case .lost(let error):
      pulse.note(.lost(error.line))
      await keeper.forgetAll()
    // A reply follows.
    case .regained: break
    }
  }

  /// A reply with the choices for which there was no room in it: they come in one of their own.
  private func completed(
    _ reply: ControlInterface.Subscribe.Reply
  ) async -> ControlInterface.Subscribe.Reply {
    var (complete, descriptions) = (reply, reply.descriptions ?? [])
    for (index, one) in descriptions.enumerated() where one.kind == .choice && one.choices == nil {
      // Of a daemon that fails, the next reply is awaited.
      guard let listed = try? await calls.list(one.control) else { break }
      if let whole = listed.first { descriptions[index] = whole.description }
    }
    if reply.descriptions != nil { complete.descriptions = descriptions }
    return complete
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
        case .lost(let error): logger.warning("moments cannot be followed: \(error.line)")
        case .regained: break
        }
      }
    } catch {
      logger.warning("moments cannot be followed: \(error.line)")
    }
  }
}
