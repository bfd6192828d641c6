/// The newest latencies.
struct Latencies: Sendable {
  private static let limit = 512

  private var newest: [Duration] = []
  private var next = 0
  private(set) var count: Int64 = 0

  mutating func add(_ latency: Duration) {
    count += 1
    if newest.count < Self.limit {
      newest.append(latency)
    } else {
      newest[next] = latency
      next = (next + 1) % Self.limit
    }
  }

  /// In microseconds, of the newest; nil: there are none.
  func microseconds(percentile: Int) -> Int64? {
    guard !newest.isEmpty else { return nil }
    let sorted = newest.sorted()
    return Int64(sorted[(sorted.count - 1) * percentile / 100] / .microseconds(1))
  }
}
