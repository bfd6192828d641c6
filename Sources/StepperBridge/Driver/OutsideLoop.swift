/// Connects an outside, passes what it reports, writes to it, and begins again when it has ended.
struct OutsideLoop<Outside: BridgeOutside> {
  let outside: Outside
  let runner: BridgeRunner

  /// The least and the most time between two attempts, and how long one must have lasted to begin with the least again.
  private static var pauses: ClosedRange<Duration> { .milliseconds(250) ... .seconds(30) }
  private static var steady: Duration { .seconds(10) }

  /// Runs until the task is cancelled.
  func run() async {
    var pause = Self.pauses.lowerBound
    while !Task.isCancelled {
      let begin = SuspendingClock.now
      let reason = await attempt()
      guard !Task.isCancelled else { return }
      await runner.take(.outsideLost(reason))
      if begin.duration(to: .now) >= Self.steady { pause = Self.pauses.lowerBound }
      try? await Task.sleep(for: pause)  // Cancelled, the loop ends.
      pause = min(pause * 2, Self.pauses.upperBound)
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
