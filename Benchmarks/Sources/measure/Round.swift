import Glibc
import Histogram

/// What was measured of one program in one round, in nanoseconds.
struct Round {
  var median = 0.0
  var percentile99 = 0.0
  /// The program's processor time for one event.
  var processor = 0.0
  /// Events a second.
  var rate = 0.0

  /// Measures `count` events that `body` causes, which gets what records the time of one.
  init(of target: Target, _ count: Int, _ body: (_ record: (Int64) -> Void) -> Void) {
    var histogram = Histogram<UInt64>(
      lowestDiscernibleValue: 100, highestTrackableValue: 60_000_000_000,
      numberOfSignificantValueDigits: .three)
    let (begin, used) = (nanoseconds(), target.processorTime)
    body { histogram.record(UInt64(max(0, $0))) }
    processor = Double(target.processorTime - used) / Double(count)
    rate = Double(count) * 1e9 / Double(nanoseconds() - begin)
    median = Double(histogram.valueAtPercentile(50))
    percentile99 = Double(histogram.valueAtPercentile(99))
  }

  /// The medians of all rounds as JSON.
  static func medians(_ rounds: [Round]) -> String {
    func median(_ figure: (Round) -> Double) -> Double { rounds.map(figure).sorted()[rounds.count / 2] }
    return """
      {"p50":\(median(\.median)),"p99":\(median(\.percentile99)),"cpu":\(median(\.processor)),"rate":\(median(\.rate))}
      """
  }
}
