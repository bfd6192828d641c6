internal import StepperCore

/// Connects an outside, passes what it reports, writes to it, and begins again when it has ended.
struct OutsideLoop<Outside: BridgeOutside> {
  let outside: Outside
  let runner: BridgeRunner

  /// Runs until the task is cancelled.
  func run() async {
    var retry = Retry.ofOutside
    while !Task.isCancelled {
      retry.begin()
      retry.succeed(at: BridgeClock.instant(.now))
      let reason = await attempt()
      guard !Task.isCancelled else { return }
      await runner.take(.outsideLost(reason))
      let now = BridgeClock.instant(.now)
      let pause = retry.pause(at: now)
      retry.failed(at: now, pause: pause)
      try? await Task.sleep(for: pause)  // Cancelled, the loop ends.
    }
  }

  /// Why it has ended.
  private func attempt() async -> String {
    let writes = AsyncStream.makeStream(of: Double.self, bufferingPolicy: .bufferingNewest(1))
    await runner.outsideBegan(writes.continuation)
    return await withTaskGroup(of: String.self) { group in
      group.addTask { await self.follow() }
      group.addTask { await self.write(writes.stream) }
      let reason = await group.next() ?? ""
      group.cancelAll()
      return reason
    }
  }

  private func follow() async -> String {
    do {
      for try await change in try await outside.changes() { await runner.take(.outside(change)) }
      return "it has ended"
    } catch {
      return "\(error)"
    }
  }

  private func write(_ values: AsyncStream<Double>) async -> String {
    do {
      for await value in values {
        try await outside.write(value)
        await runner.take(.outsideWritten)
      }
      return "it has ended"
    } catch {
      return "\(error)"
    }
  }
}
