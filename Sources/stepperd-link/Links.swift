package import Logging
internal import StepperBridge
package import StepperClient
package import StepperConfiguration
internal import StepperCore
internal import StepperLinux
internal import Synchronization

/// The links of a configuration, at work.
package struct Links: Sendable {
  private let bridges: Bridges
  private let outsides: [ThreadedOutside]
  private let board: LinkBoard
  /// How many links there are.
  package let count: Int

  /// `environment` is that of coprocesses.
  package init(
    _ links: [LinkConfiguration], _ client: StepperClient, environment: [String: String], logger: Logger
  ) {
    let board = LinkBoard(logger)
    var bridges = Bridges(client)
    var outsides: [ThreadedOutside] = []
    for link in links {
      let name = link.name
      let outside = Self.outside(link, environment) { board.warn($0, of: name) }
      outsides.append(outside)
      bridges.keep(
        link.control, equalTo: outside, rules: link.rules,
        scale: link.target.kind == .command ? .same : .spread
      ) { board.take($0, of: name) }
      guard let mute = link.mute, let outside = Self.mute(link) else { continue }
      outsides.append(outside)
      var rules = link.rules
      rules.startAtMost = nil
      bridges.keep(mute, equalTo: outside, rules: rules) { board.take($0, of: "\(name) (mute)") }
    }
    (self.bridges, self.outsides, self.board, count) = (bridges, outsides, board, links.count)
  }

  /// Runs them until the task is cancelled. Then coprocesses have ended, and nothing else waits longer than a second.
  package func run() async {
    await bridges.run()
    let outsides = outsides
    // Not of this task, which is cancelled.
    await Task.detached {
      await withTaskGroup(of: Void.self) { group in
        for outside in outsides { group.addTask { _ = await outside.threadEnds(within: .seconds(1)) } }
      }
    }.value
  }

  /// One line for `systemctl status`.
  package var status: String { board.status }

  private static func outside(
    _ link: LinkConfiguration, _ environment: [String: String], note: @escaping @Sendable (String) -> Void
  ) -> ThreadedOutside {
    switch link.target {
    case .pulse(let sink): .pulse(sink: sink, .volume)
    case .command(let words): .coprocess(words, environment: environment, note: note)
    case .alsa(let card, let element):
      .mixer(card: card, element: element, .volume(mapped: link.curve == .mapped))
    case .backlight(let name): .brightness(.backlight, name, link.curve == .raw ? .raw : .perceptual)
    case .led(let name): .brightness(.leds, name, link.curve == .raw ? .raw : .perceptual)
    }
  }

  private static func mute(_ link: LinkConfiguration) -> ThreadedOutside? {
    switch link.target {
    case .pulse(let sink): .pulse(sink: sink, .mute)
    case .alsa(let card, let element): .mixer(card: card, element: element, .mute)
    default: nil
    }
  }
}

extension LinkConfiguration {
  fileprivate var rules: BridgeRules {
    BridgeRules(
      start: start == .control ? .control : .outside, startAtMost: startAtMost?.doubleValue,
      rate: Double(rate))
  }
}

/// What is known of the links, and its log.
private final class LinkBoard: Sendable {
  let logger: Logger
  private let reports = Mutex<[(link: String, report: BridgeReport)]>([])
  private let lines = Mutex(LinkLines())

  init(_ logger: Logger) { self.logger = logger }

  func take(_ report: BridgeReport, of link: String) {
    log(report, of: link)
    guard report.isState else { return }
    reports.withLock { reports in
      if let place = reports.firstIndex(where: { $0.link == link }) {
        reports[place].report = report
      } else {
        reports.append((link, report))
      }
    }
  }

  /// A note about a link.
  func warn(_ note: String, of link: String) {
    if let end = end(link) { logger.warning("link: \(link): \(note)\(end)") }
  }

  private func log(_ report: BridgeReport, of link: String) {
    switch report {
    case .connected, .daemonRegained:
      if let end = end(link) { logger.info("link: \(link): \(report)\(end)") }
    default: warn("\(report)", of: link)
    }
  }

  private func end(_ link: String) -> String? { lines.withLock { $0.end(link, at: .now) } }

  var status: String {
    let reports = reports.withLock { $0 }
    let troubled = reports.filter { $0.report != .connected && $0.report != .daemonRegained }
    let works = "\(reports.count - troubled.count) of \(reports.count) links connected"
    guard let first = troubled.first else { return works }
    return "\(works); \(first.link): \(first.report)"
  }
}

extension BridgeReport {
  /// Whether it says how the bridge is, and not what has happened once.
  fileprivate var isState: Bool {
    switch self {
    case .refused, .clamped: false
    default: true
    }
  }
}
