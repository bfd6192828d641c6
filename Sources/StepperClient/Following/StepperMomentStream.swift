public import StepperInterfaces

/// The moments of some controls, as they happen: the events that feedback responds to.
///
/// ```swift
/// for try await moment in client.moments(of: "volume", "light.*") where moment.effect != .none {
///   flash(moment.effect)
/// }
/// ```
/// Moments are events and not states: none comes at the start, and they keep their order. A reader that is too slow
/// loses the oldest, which ``droppedCount`` counts. When the connection is lost or the daemon restarts, the sequence
/// connects again (after 0.1 to 5 seconds); what happened meanwhile is lost and not counted. It ends when its task is
/// cancelled, and throws an error that waiting does not cure: no daemon runs at the start, or the daemon refuses the
/// subscription. A newer daemon may report moments that this library has no name for: ignore them.
public struct StepperMomentStream: AsyncSequence, Sendable {
  /// One moment.
  public typealias Element = ControlInterface.MomentEvent
  /// Why the sequence ended, unless its task was cancelled.
  public typealias Failure = StepperClientError

  let plan: SubscriptionPlan<PendingMoments>

  /// How many moments the iterators of this sequence have lost so far because the program or the daemon was too slow.
  /// Moments that happened without a connection are not counted.
  public var droppedCount: Int64 { plan.pending.drops.value }

  /// A new pass, with a connection of its own. It connects with the first `next`.
  public func makeAsyncIterator() -> Iterator {
    Iterator(SubscriptionReader(plan, reading: .ahead))
  }

  /// One pass over the moments.
  public struct Iterator: AsyncIteratorProtocol {
    private let reader: SubscriptionReader<PendingMoments>

    init(_ reader: SubscriptionReader<PendingMoments>) { self.reader = reader }

    /// The next moment; nil when the task was cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(StepperClientError) -> ControlInterface.MomentEvent? {
      try await reader.next(isolation: actor)
    }
  }
}

extension StepperClient {
  /// The moments of the controls `names` (names or shell patterns with `*` and `?`; none means all).
  ///
  /// With `waitsForDaemon` the sequence waits for a daemon that does not run yet.
  public func moments(of names: String..., waitsForDaemon: Bool = false) -> StepperMomentStream {
    moments(of: names, waitsForDaemon: waitsForDaemon)
  }

  /// The same for an array of names.
  public func moments(of names: [String], waitsForDaemon: Bool = false) -> StepperMomentStream {
    StepperMomentStream(plan: momentPlan(names, waitsForDaemon: waitsForDaemon))
  }

  func momentPlan(_ names: [String], waitsForDaemon: Bool) -> SubscriptionPlan<PendingMoments> {
    SubscriptionPlan(
      self, PendingMoments(.init(match: names.isEmpty ? nil : names)),
      waitsForDaemon: waitsForDaemon)
  }
}
