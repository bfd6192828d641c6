internal import Glibc
internal import StepperCore

/// A time as text in UTC, as in RFC 3339: `2026-11-23T00:17:52.123Z`.
struct UTCTime: Hashable, Sendable, CustomStringConvertible {
  /// Microseconds since 1970.
  let microseconds: Int64

  var description: String {
    // Rounded down, also before 1970.
    var (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    if rest < 0 { (seconds, rest) = (seconds - 1, rest + 1_000_000) }
    var (time, parts) = unsafe (time_t(seconds), tm())
    unsafe gmtime_r(&time, &parts)
    let date = unsafe [parts.tm_mon + 1, parts.tm_mday].map { "-\($0.digits(2))" }.joined()
    let clock = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec].map { $0.digits(2) }.joined(separator: ":")
    return unsafe "\((parts.tm_year + 1_900).digits(4))\(date)T\(clock).\((rest / 1_000).digits(3))Z"
  }
}
