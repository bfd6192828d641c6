internal import Logging
internal import StepperClient
internal import StepperInterfaces
internal import Synchronization
internal import Varlink

/// Whether the daemon answers. The connections to one that hangs stay open, so it is asked: every second while a page is open,
/// and else before an answer with what it has sent.
final class DaemonPulse: Sendable {
  /// How long nothing may come before the daemon is asked whether it is there, and how long it may take then.
  static let limit = Duration.seconds(1)

  private let calls: StepperClient
  private let hub: ControlHub
  private let logger: Logger
  private let heardAt = Mutex<ContinuousClock.Instant?>(nil)

  init(calls: StepperClient, hub: ControlHub, logger: Logger) {
    (self.calls, self.hub, self.logger) = (calls, hub, logger)
  }

  /// Something has come from the daemon.
  func hear() { heardAt.withLock { $0 = .now } }

  /// Takes what is known of the connection.
  func note(_ connection: DaemonReachability) {
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

  /// Asks the daemon whether it is there, unless it was just heard.
  func check() async {
    let isRecent = heardAt.withLock { $0.map { $0 + Self.limit > .now } ?? false }
    if !isRecent, hub.read(\.connection) == .open { _ = await ask() }
  }

  /// Asks the daemon about itself, and takes its silence for a lost connection; nil: it does not answer.
  func ask() async -> Result<ServiceInterface.GetInfo.Reply, StepperClientError>? {
    let answer = await first(within: Self.limit) { await self.info() }
    switch answer {
    case nil: if hub.read(\.connection) == .open { note(.lost(Self.silence)) }
    // The follower reports a connection that is closed.
    case .failure(let error)? where error.isOfConnection: break
    case .success?, .failure?:
      hear()
      if hub.read(\.connection) == .lost(Self.silence) { note(.open) }
    }
    return answer
  }

  private func info() async -> Result<ServiceInterface.GetInfo.Reply, StepperClientError> {
    do throws(StepperClientError) {
      return .success(try await calls.call(ServiceInterface.GetInfo.self, .init()))
    } catch {
      return .failure(error)
    }
  }

  /// Asks the daemon every second while a page is open, and until one that did not answer does, until the task is cancelled.
  func keepAsking() async {
    while !Task.isCancelled {
      try? await Task.sleep(for: Self.limit)  // Cancelled, the loop ends.
      switch hub.read(\.connection) {
      case .never: continue
      case .lost(Self.silence): break
      case .open, .lost: guard hub.streamCount > 0 else { continue }
      }
      _ = await ask()
    }
  }

  private static let silence = "it does not answer"
}

/// The result of `work`; nil: it takes longer than `limit`, and is cancelled.
func first<Result: Sendable>(
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
