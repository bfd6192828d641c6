/// The latencies of the latest measured changes: from the time stamp of the input until the reply is written to the socket.
struct LatencyWindow {
  private var samples: [Int64] = []
  private var next = 0

  static let size = 1024

  mutating func record(microseconds: Int64) {
    if samples.count < Self.size {
      samples.append(microseconds)
    } else {
      samples[next] = microseconds
      next = (next + 1) % Self.size
    }
  }

  /// nil before the first sample.
  var median: Int64? { quantile(0.5) }
  /// nil before the first sample.
  var maximum: Int64? { samples.max() }

  /// The smallest sample that at least `part` of the samples, 0…1, do not exceed; nil before the first sample.
  func quantile(_ part: Double) -> Int64? {
    guard !samples.isEmpty else { return nil }
    let rank = (part * Double(samples.count)).rounded(.up)
    return samples.sorted()[min(max(Int(rank) - 1, 0), samples.count - 1)]
  }
}
