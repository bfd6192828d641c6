internal import StepperBridge
internal import StepperCore

/// Which lines of links are logged: a few of each at once, and then one in ten seconds, since an outside can change as often
/// as it likes.
struct LinkLines {
  private var limits: [String: LineLimit] = [:]

  /// What a line of `link` ends with; nil: it is left out.
  mutating func end(_ link: String, at now: Instant) -> String? {
    limits[link, default: LineLimit(RateLimit(every: .seconds(10), burst: 10))].end(at: now)
  }
}

/// The last report of each link, as one line for `systemctl status`.
struct LinkStatus {
  private var reports: [(link: String, report: BridgeReport)] = []

  mutating func note(_ report: BridgeReport, of link: String) {
    guard report.isState else { return }
    if let place = reports.firstIndex(where: { $0.link == link }) {
      reports[place].report = report
    } else {
      reports.append((link, report))
    }
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
