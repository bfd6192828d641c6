internal import StepperClient
internal import StepperCore

/// Runs a bridge in real time: passes events to the pure ``BridgeMachine``, and does what it asks for.
actor BridgeRunner<Outside: BridgeOutside> {
  private let client: StepperClient
  private let control: String
  private let outside: Outside
  private let report: @Sendable (BridgeReport) -> Void
  private var machine: BridgeMachine
  private var timer: Task<Void, Never>?
  /// The writes to the outside, one at a time.
  private var outsideWrites: AsyncStream<Double>.Continuation?
  private let calls = AsyncStream.makeStream(
    of: BridgeMachine.Effect.self, bufferingPolicy: .bufferingNewest(2))

  init(
    _ client: StepperClient, _ control: String, _ outside: Outside, _ scale: BridgeScale,
    _ rules: BridgeRules,
    report: @escaping @Sendable (BridgeReport) -> Void
  ) {
    (self.client, self.control, self.outside, self.report) = (client, control, outside, report)
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
        // When cancelled, there is a new deadline.
        guard (try? await Task.sleep(until: deadline, clock: .suspending)) != nil else { return }
        await self?.take(nil)
      }
    }
  }

  /// Runs until the task is cancelled.
  nonisolated func run() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.call() }
      group.addTask { await self.keepOutside() }
    }
    await end()
  }

  private func end() { timer?.cancel() }

  private func call() async {
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
        do throws(StepperClientError) {
          take(.described(.success(try await client.list(control).first?.description)))
        } catch {
          take(.described(.failure(error)))
        }
      default: break
      }
    }
  }

  // MARK: The outside

  /// Connects the outside, passes on its reports, and writes to it. Begins again whenever it has ended.
  private nonisolated func keepOutside() async {
    var retry = Retry.ofOutside
    while !Task.isCancelled {
      retry.begin()
      retry.succeed(at: BridgeClock.instant(.now))
      let reason = await attempt()
      guard !Task.isCancelled else { return }
      await take(.outsideLost(reason))
      let now = BridgeClock.instant(.now)
      let pause = retry.pause(at: now)
      retry.failed(at: now, pause: pause)
      try? await Task.sleep(for: pause)  // When cancelled, the loop ends.
    }
  }

  /// Runs one connection of the outside. Returns why it has ended.
  private nonisolated func attempt() async -> String {
    let writes = AsyncStream.makeStream(of: Double.self, bufferingPolicy: .bufferingNewest(1))
    await began(writes.continuation)
    return await withTaskGroup(of: String.self) { group in
      group.addTask {
        await self.untilEnd {
          for try await change in try await self.outside.changes() { await self.take(.outside(change)) }
        }
      }
      group.addTask {
        await self.untilEnd {
          for await value in writes.stream {
            try await self.outside.write(value)
            await self.take(.outsideWritten)
          }
        }
      }
      let reason = await group.next() ?? ""
      group.cancelAll()
      return reason
    }
  }

  private func began(_ writes: AsyncStream<Double>.Continuation) { outsideWrites = writes }

  private nonisolated func untilEnd(_ work: () async throws -> Void) async -> String {
    do {
      try await work()
      return "it has ended"
    } catch {
      return "\(error)"
    }
  }
}
