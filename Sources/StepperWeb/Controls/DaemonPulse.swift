internal import Logging
internal import StepperClient
internal import StepperInterfaces
internal import Synchronization
internal import Varlink

/// Checks whether the daemon answers. Connections to a hanging daemon stay open; therefore it is asked every second while a page is open,
/// and otherwise before an answer with data that it has sent.
final class DaemonPulse: Sendable {
  /// How long the daemon may be silent before it is asked whether it is there, and how long its answer may take.
  static let limit = Duration.seconds(1)

  private let calls: StepperClient
  private let hub: ControlHub
  private let log: LimitedLog
  private let heardAt = Mutex<ContinuousClock.Instant?>(nil)

  init(calls: StepperClient, hub: ControlHub, logger: Logger) {
    (self.calls, self.hub, log) = (calls, hub, LimitedLog(logger))
  }

  /// Notes that something has arrived from the daemon.
  func hear() { heardAt.withLock { $0 = .now } }

  /// Records the state of the connection.
  func note(_ connection: DaemonReachability) {
    hub.change { table in
      guard table.note(connection) else { return false }
      if let problem = connection.problem {
        log.log(.warning, "not connected to stepperd: \(problem)")
      } else {
        log.log(.info, "connected to stepperd")
      }
      return true
    }
  }

  /// Asks the daemon whether it is there, unless it was heard just now.
  func check() async {
    let isRecent = heardAt.withLock { $0.map { $0 + Self.limit > .now } ?? false }
    if !isRecent, hub.read(\.connection) == .open { _ = await ask() }
  }

  /// Asks the daemon about itself. If it does not answer, the connection counts as lost, and the result is nil.
  func ask() async -> Result<ServiceInterface.GetInfo.Reply, StepperClientError>? {
    let answer = await first(within: Self.limit) { await self.info() }
    switch answer {
    case nil: if hub.read(\.connection) == .open { note(.lost(Self.silence)) }
    // A closed connection is reported by the follower.
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

  /// Asks the daemon every second, while a page is open and after a missing answer until it answers again. Ends when the task is
  /// cancelled.
  func keepAsking() async {
    while !Task.isCancelled {
      try? await Task.sleep(for: Self.limit)  // When cancelled, the loop ends.
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

/// The result of `work`; nil: it took longer than `limit` and was cancelled.
func first<Result: Sendable>(
  within limit: Duration, _ work: @escaping @Sendable () async -> Result
) async -> Result? {
  await withTaskGroup(of: Result?.self) { group in
    group.addTask { await work() }
    group.addTask {
      try? await Task.sleep(for: limit)  // When cancelled, the result is not used.
      return nil
    }
    defer { group.cancelAll() }
    return await group.next() ?? nil
  }
}
