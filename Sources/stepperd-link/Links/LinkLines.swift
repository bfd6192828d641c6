internal import StepperBridge
internal import StepperCore

/// Decides which lines about links are logged: several of each link at once, and then one a minute, because an outside can change at any
/// rate, and a coprocess can crash.
struct LinkLines {
  private var limits: [String: LineLimit] = [:]

  /// The end of a log line about `link`; nil: the line is left out.
  mutating func end(_ link: String, at now: Instant) -> String? {
    limits[link, default: LineLimit(RateLimit(every: .seconds(60), burst: 10))].end(at: now)
  }
}

/// The last report of each link, as one line for `systemctl status`.
struct LinkStatus {
  /// The number of links, including those without a report.
  let count: Int
  private var reports: [(link: String, report: BridgeReport, since: Int64)] = []

  init(of count: Int) { self.count = count }

  /// Notes a report. `time` is in seconds since 1970.
  mutating func note(_ report: BridgeReport, of link: String, at time: Int64) {
    guard report.isState else { return }
    if let place = reports.firstIndex(where: { $0.link == link }) {
      reports[place].report = report
      reports[place].since = time
    } else {
      reports.append((link, report, time))
    }
  }

  /// When a link was connected, in seconds since 1970; nil: it is not connected.
  func connectedSince(_ link: String) -> Int64? {
    reports.first { $0.link == link && $0.report.isWell }?.since
  }

  var text: String {
    let troubled = reports.filter { !$0.report.isWell }
    let works = "\(reports.count - troubled.count) of \(count) links connected"
    return troubled.first.map { "\(works); \($0.link): \($0.report)" } ?? works
  }
}

extension BridgeReport {
  var isWell: Bool { self == .connected || self == .daemonRegained }

  /// Whether the report is a state of the bridge, not an event.
  fileprivate var isState: Bool {
    switch self {
    case .refused, .clamped: false
    default: true
    }
  }
}
