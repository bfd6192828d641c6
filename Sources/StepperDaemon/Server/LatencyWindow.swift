/// How long the last changes took from the input's time stamp to the reply handed to the kernel.
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
  var median: Int64? { samples.isEmpty ? nil : samples.sorted()[samples.count / 2] }
  /// nil before the first sample.
  var maximum: Int64? { samples.max() }
}
