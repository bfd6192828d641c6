internal import StepperBridge
internal import StepperCore

/// Which lines of links are logged: a few of each at once, and then one a minute, since an outside can change as often as it
/// likes, and a coprocess can crash.
struct LinkLines {
  private var limits: [String: LineLimit] = [:]

  /// What a line of `link` ends with; nil: it is left out.
  mutating func end(_ link: String, at now: Instant) -> String? {
    limits[link, default: LineLimit(RateLimit(every: .seconds(60), burst: 10))].end(at: now)
  }
}

/// The last report of each link, as one line for `systemctl status`.
struct LinkStatus {
  private var reports: [(link: String, report: BridgeReport, since: Int64)] = []

  /// At a time in seconds since 1970.
  mutating func note(_ report: BridgeReport, of link: String, at time: Int64) {
    guard report.isState else { return }
    if let place = reports.firstIndex(where: { $0.link == link }) {
      reports[place].report = report
      reports[place].since = time
    } else {
      reports.append((link, report, time))
    }
  }

  /// Since when a link is connected; nil: it is not.
  func connectedSince(_ link: String) -> Int64? {
    reports.first { $0.link == link && $0.report.isWell }?.since
  }

  var text: String {
    let troubled = reports.filter { !$0.report.isWell }
    let works = "\(reports.count - troubled.count) of \(reports.count) links connected"
    return troubled.first.map { "\(works); \($0.link): \($0.report)" } ?? works
  }
}

extension BridgeReport {
  var isWell: Bool { self == .connected || self == .daemonRegained }

  /// Whether it is a state of the bridge, and not an event.
  fileprivate var isState: Bool {
    switch self {
    case .refused, .clamped: false
    default: true
    }
  }
}
