internal import StepperClient

/// A bridge in real time: passes to the pure ``BridgeMachine`` what happens, and does what it asks for.
actor BridgeRunner {
  private let client: StepperClient
  nonisolated let control: String
  private let report: @Sendable (BridgeReport) -> Void
  private var machine: BridgeMachine
  private var timer: Task<Void, Never>?
  /// The writes to either side, one at a time.
  private var outsideWrites: AsyncStream<Double>.Continuation?
  private let calls = AsyncStream.makeStream(
    of: BridgeMachine.Effect.self, bufferingPolicy: .bufferingNewest(2))

  init(
    _ client: StepperClient, _ control: String, _ scale: BridgeScale, _ rules: BridgeRules,
    report: @escaping @Sendable (BridgeReport) -> Void
  ) {
    (self.client, self.control, self.report) = (client, control, report)
    machine = BridgeMachine(control, scale, rules)
  }

  func take(_ input: BridgeMachine.Input?) {
    for effect in machine.advance(to: .now, applying: input) {
      switch effect {
      case .set, .describe: calls.continuation.yield(effect)
      case .write(let value): outsideWrites?.yield(value)
      case .report(let report): self.report(report)
      }
    }
    timer?.cancel()
    timer = machine.deadline.map { deadline in
      Task { [weak self] in
        // Cancelled, there is another deadline.
        guard (try? await Task.sleep(until: deadline, clock: .suspending)) != nil else { return }
        await self?.take(nil)
      }
    }
  }

  /// Calls the daemon until ``end()``.
  func call() async {
    for await call in calls.stream {
      switch call {
      case .set(let write) where machine.isCurrent(write):
        do throws(StepperClientError) {
          let state = try await client.set(
            control, to: write.value, clamp: true, ifSequence: write.sequence)
          take(.answered(write, .success(state)))
        } catch {
          take(.answered(write, .failure(error)))
        }
      case .describe:
        // Without one the control is waited for, as if it were absent.
        let controls = try? await client.list(control)
        take(.described(controls?.first?.description))
      default: break
      }
    }
  }

  func outsideBegan(_ writes: AsyncStream<Double>.Continuation) { outsideWrites = writes }

  func end() {
    timer?.cancel()
    calls.continuation.finish()
  }
}
