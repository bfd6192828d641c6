internal import Glibc
internal import Logging
internal import StepperBridge
internal import StepperConfiguration
internal import StepperCore
internal import StepperInterfaces
internal import StepperLinux
internal import StepperProgram
internal import SystemPackage

/// The program as a service: the links, their programs and the daemon, on one loop of one thread.
final class LinkService {
  private let logger: Logger
  private let service: ServiceLoop
  private var links: [LinkMachine]
  /// The process of each link, by index.
  private var processes: [OutsideProcess?]
  private var daemon: LinkDaemon?
  /// The events that were not handled yet, each for one link or, if nil, for all.
  private let inputs = Inputs()
  private var lines = LinkLines()
  private var status: LinkStatus
  private let statusFile = StatusFile(.link)
  /// When the service ends at the latest.
  private var end: Instant?

  /// At the end, how long values under way and programs may take.
  private static let endTimeout = Duration.seconds(1)

  private final class Inputs {
    var waiting: [(link: Int?, input: LinkMachine.Input)] = []
  }

  init(
    _ links: [LinkConfiguration], address: String?, _ logger: Logger, _ notices: ServiceNotices
  ) throws {
    self.logger = logger
    self.links = links.flatMap(\.machines)
    processes = self.links.map { _ in nil }
    status = LinkStatus(of: self.links.count)
    service = try ServiceLoop(notices)
    daemon = LinkDaemon(on: service.loop, address: address, controls: self.links.map(\.control)) { [inputs] in
      inputs.waiting.append(($0, .bridge($1)))
    }
    logger.info("keeping \(links.count) link\(links.count == 1 ? "" : "s")")
  }

  /// Runs until a signal arrives.
  func run() throws {
    try service.run(status: status.text, stop: { [weak self] in self?.beginEnd(at: $0) }) { [self] now in
      let isQuiet = work(at: now)
      if let end, isQuiet || now >= end { finish(at: now, until: end) }
      let fileDue = statusFile.update(status.text, at: now) { metrics }
      return (links.map(\.deadline) + [daemon?.deadline, fileDue, end, end != nil && !isQuiet ? now : nil])
        .compactMap(\.self).min()
    }
    statusFile.remove()
    // Does not wait for a program that the kernel fails to end.
    exit(EXIT_SUCCESS)
  }

  private var metrics: [ManagerInterface.Metric] {
    LinkFigures.metrics(
      of: links.map {
        .init(name: $0.name, connectedSince: status.connectedSince($0.name), counts: $0.counts)
      })
  }

  /// Handles all events, and those that result from them. Returns whether there were none.
  private func work(at now: Instant) -> Bool {
    daemon?.advance(to: now)
    let isQuiet = inputs.waiting.isEmpty
    for index in links.indices where links[index].deadline.map({ $0 <= now }) ?? false {
      advance(index, nil, at: now)
    }
    while !inputs.waiting.isEmpty {
      let happened = inputs.waiting
      inputs.waiting = []
      for (link, input) in happened {
        for index in link.map({ $0..<$0 + 1 }) ?? links.indices { advance(index, input, at: now) }
      }
    }
    service.show(status.text)
    return isQuiet
  }

  private func advance(_ index: Int, _ input: LinkMachine.Input?, at now: Instant) {
    if case .ended = input {
      processes[index] = nil
      // No program is started again.
      guard end == nil else { return }
    }
    for effect in links[index].advance(to: now, applying: input) {
      switch effect {
      case .start: if end == nil { start(index) }
      case .send(let bytes): processes[index]?.send(bytes)
      case .kill: processes[index]?.kill()
      case .note(let note): log(.warning, note, index, at: now)
      case .bridge(.report(let report)):
        status.note(report, of: links[index].name, at: realtimeSeconds(at: now))
        log(report.isWell ? .info : .warning, "\(report)", index, at: now)
      case .bridge(let call): daemon?.call(call, for: index, control: links[index].control)
      }
    }
  }

  private func start(_ index: Int) {
    let deliver: (LinkMachine.Input) -> Void = { [inputs] in inputs.waiting.append((index, $0)) }
    do {
      processes[index] = try OutsideProcess(
        [OutsideProgram.option] + links[index].program.arguments, on: service.loop, deliver: deliver)
    } catch {
      deliver(.ended("cannot be started: \(error)"))
    }
  }

  private func log(_ level: Logger.Level, _ text: String, _ index: Int, at now: Instant) {
    let name = links[index].name
    if let end = lines.end(name, at: now) { logger.log(level: level, "link: \(name): \(text)\(end)") }
  }

  // MARK: The end

  private func beginEnd(at now: Instant) {
    end = now + Self.endTimeout
    for index in links.indices { advance(index, .bridge(.end), at: now) }
  }

  /// Everything that arrived has been handled. Programs end by themselves once they have the last value; programs that take too long are
  /// killed.
  private func finish(at now: Instant, until end: Instant) {
    for index in links.indices where !links[index].isWriting { processes[index]?.closeInput() }
    let isLate = now >= end
    if isLate { for process in processes { process?.kill() } }
    if isLate || processes.allSatisfy({ $0 == nil }) { service.loop.stop() }
  }
}

extension LinkConfiguration {
  /// The machine of the value and, if the link has a mute, the machine of the mute.
  fileprivate var machines: [LinkMachine] {
    var rules = BridgeRules(
      start: start == .control ? .control : .outside, startAtMost: startAtMost?.doubleValue,
      rate: Double(rate))
    let value = LinkMachine(name, OutsideProgram(target, .value, curve), control: control, rules: rules)
    guard let mute else { return [value] }
    rules.startAtMost = nil
    let program = OutsideProgram(target, .mute, curve)
    return [value, LinkMachine("\(name) (mute)", program, control: mute, rules: rules)]
  }
}
