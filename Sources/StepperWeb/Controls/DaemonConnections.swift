package import Logging
internal import StepperClient
internal import StepperInterfaces
internal import Varlink

/// The connections to the daemon: one that follows states, one for calls and holds, one for descriptions in other languages, and one for
/// moments while a page needs them. There are no more, however many browsers there are.
package final class DaemonConnections: Sendable {
  /// How long the daemon may take to answer.
  static let timeout = Duration.seconds(2)
  /// The longest pause between two attempts to connect.
  static let longestPause = Duration.milliseconds(500)

  let calls: StepperClient
  let hub: ControlHub
  let describer: Describer
  let keeper: HoldKeeper
  let pulse: DaemonPulse
  /// Signalled once it is known whether the daemon is reachable.
  private let heard = Signal()
  private let patterns: [String]?
  private let language: String
  /// The log for moments that cannot be followed: the first stream in each case tries to.
  private let log: LimitedLog

  /// Connects to the daemon at `address`, or at its default address. Follows only the controls that match `match`; if it is empty, all.
  /// The states come with what screen readers say in `language`.
  package init(address: String?, match: [String], language: String, hub: ControlHub, logger: Logger) {
    calls = StepperClient(address: address, timeout: Self.timeout, isRestricted: true)
    describer = Describer(beside: calls, language: language)
    keeper = HoldKeeper(calls: calls, hub: hub)
    pulse = DaemonPulse(calls: calls, hub: hub, logger: logger)
    patterns = match.isEmpty ? nil : match
    (self.language, self.hub, log) = (language, hub, LimitedLog(logger))
  }

  /// Follows the daemon until the task is cancelled.
  package func run() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.followStates() }
      group.addTask { await self.followMoments() }
      group.addTask { await self.pulse.keepAsking() }
    }
  }

  /// Returns when the daemon has answered or cannot be reached, at the latest after `limit`.
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
    // A reply will follow.
    case .regained: break
    }
  }

  /// The reply with the choices added that did not fit into it: they are requested separately.
  private func completed(
    _ reply: ControlInterface.Subscribe.Reply
  ) async -> ControlInterface.Subscribe.Reply {
    var (complete, descriptions) = (reply, reply.descriptions ?? [])
    for (index, one) in descriptions.enumerated() where one.kind == .choice && one.choices == nil {
      // If the daemon fails, the next reply will follow.
      guard let listed = try? await calls.list(one.control) else { break }
      if let whole = listed.first { descriptions[index] = whole.description }
    }
    if reply.descriptions != nil { complete.descriptions = descriptions }
    return complete
  }

  /// Follows moments while a page needs them.
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
        // Moments that occur without a connection are lost.
        case .lost(let error): warn(error)
        case .regained: break
        }
      }
    } catch {
      warn(error)
    }
  }

  /// Warns that moments are not followed. If states are not followed either, that was already reported.
  private func warn(_ error: StepperClientError) {
    guard hub.read(\.connection) == .open else { return }
    log.log(.warning, "moments cannot be followed: \(error.line)")
  }
}
