/// The newest latencies.
struct Latencies: Sendable {
  private static let limit = 512

  private var newest: [Duration] = []
  private(set) var count: Int64 = 0

  mutating func add(_ latency: Duration) {
    count += 1
    newest.append(latency)
    if newest.count > Self.limit { newest.removeFirst() }
  }

  /// The latency at `percentile` in microseconds; nil: there is none yet.
  func microseconds(percentile: Int) -> Int64? {
    guard !newest.isEmpty else { return nil }
    let sorted = newest.sorted()
    return Int64(sorted[(sorted.count - 1) * percentile / 100] / .microseconds(1))
  }
}
