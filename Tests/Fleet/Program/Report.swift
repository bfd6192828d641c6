internal import StepperCore
internal import StepperLinux
internal import SystemPackage

/// What the program tells: lines of JSON on the standard output.
enum Report {
  static func line(
    _ event: String, _ numbers: [(String, Double)] = [], texts: [(String, String)] = [],
    at now: Instant = .now
  ) {
    let members =
      ["\"event\":\"\(event)\"", "\"time\":\(Double(now.nanoseconds) / 1e9)"]
      + numbers.map { "\"\($0.0)\":\($0.1)" }
      + texts.map { "\"\($0.0)\":\"\($0.1.filter { $0 != "\"" && $0 != "\\" })\"" }
    StandardStream.output.write(line: "{\(members.joined(separator: ","))}")
  }

  /// Count, median, 99th percentile and maximum in seconds.
  static func percentiles(_ times: [Duration]) -> [(String, Double)] {
    let sorted = times.map { $0 / .seconds(1) }.sorted()
    guard let last = sorted.last else { return [("count", 0)] }
    return [
      ("count", Double(sorted.count)), ("median", sorted[sorted.count / 2]),
      ("p99", sorted[sorted.count * 99 / 100]), ("maximum", last),
    ]
  }

  static func write(_ lines: [String], to path: String) throws(Errno) {
    do {
      let file = try FileDescriptor.open(
        FilePath(path), .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
      try file.closeAfter { _ = try file.writeAll(lines.joined(separator: "\n").utf8) }
    } catch let error as Errno {
      throw error
    } catch {
      throw .ioError
    }
  }
}

/// Samples of counters, four a second while they change.
struct SampleReport<Counters: Equatable> {
  private var last: Counters?
  private var next = Instant.distantPast

  /// When there is something to say that could not be said yet.
  private(set) var deadline: Instant?

  mutating func sample(_ counters: Counters, at now: Instant, _ members: (Counters) -> [(String, Double)]) {
    deadline = nil
    guard counters != last else { return }
    guard next <= now else { return deadline = next }
    (last, next) = (counters, now + .milliseconds(250))
    Report.line("sample", members(counters), at: now)
  }
}
