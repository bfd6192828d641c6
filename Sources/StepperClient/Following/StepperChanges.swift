internal import StepperCore
public import StepperInterfaces

/// The present state of some controls, and then each change of them.
///
/// ```swift
/// for try await state in client.changes(of: "volume", "light.*", minimumInterval: .milliseconds(50)) {
///   print(state.control, state.text ?? "unset")
/// }
/// ```
/// A reader that is slower than the changes gets the latest state of each control. When the connection is lost or the
/// daemon restarts, the sequence connects again (after 0.1 to 5 seconds) and continues with what changed meanwhile.
/// It ends when its task is cancelled, and throws an error that waiting does not cure: no daemon runs at the start,
/// or the daemon refuses the subscription.
public struct StepperChanges: AsyncSequence, Sendable {
  /// The state of one control.
  public typealias Element = ControlInterface.State
  /// Why the sequence ended, unless its task was cancelled.
  public typealias Failure = StepperClientError

  let plan: SubscriptionPlan<PendingStates>

  /// A new pass, with a connection of its own. It connects with the first `next`.
  public func makeAsyncIterator() -> Iterator {
    Iterator(SubscriptionReader(plan, reading: .ahead))
  }

  /// One pass over the changes.
  public struct Iterator: AsyncIteratorProtocol {
    private let reader: SubscriptionReader<PendingStates>

    init(_ reader: SubscriptionReader<PendingStates>) { self.reader = reader }

    /// The next state; nil when the task was cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(StepperClientError) -> ControlInterface.State? {
      try await reader.next(isolation: actor)
    }
  }
}

extension StepperClient {
  /// The present state of the controls `names` (names or shell patterns with `*` and `?`; none means all), and then
  /// each change of them.
  ///
  /// With `minimumInterval` the daemon reports the first change at once, and then the latest state once in that time.
  /// With `waitsForDaemon` the sequence waits for a daemon that does not run yet.
  public func changes(
    of names: String..., minimumInterval: Duration? = nil, waitsForDaemon: Bool = false
  ) -> StepperChanges {
    changes(of: names, minimumInterval: minimumInterval, waitsForDaemon: waitsForDaemon)
  }

  /// The same for an array of names.
  public func changes(
    of names: [String], minimumInterval: Duration? = nil, waitsForDaemon: Bool = false
  ) -> StepperChanges {
    StepperChanges(
      plan: SubscriptionPlan(
        self, PendingStates(.init(names: names, minimumInterval: minimumInterval)),
        waitsForDaemon: waitsForDaemon))
  }
}

extension ControlInterface.Subscribe.Parameters {
  init(names: [String], minimumInterval: Duration?, descriptions: Bool? = nil) {
    self.init(
      match: names.isEmpty ? nil : names, minimumIntervalMilliseconds: minimumInterval?.milliseconds,
      descriptions: descriptions)
  }
}
