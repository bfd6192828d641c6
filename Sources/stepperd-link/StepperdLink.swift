internal import ArgumentParser
internal import Glibc
internal import Logging
internal import StepperClient
internal import StepperConfiguration
internal import StepperLink
internal import StepperSystem

/// The command line program.
@main
struct StepperdLink: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stepperd-link",
    abstract: "Keep controls of stepperd equal with mixers, screens, lights and programs.",
    discussion: """
      It reads the tables [link.NAME] of the daemon's configuration file: without --config that of the user, if there is \
      one, else /etc/stepperd/stepperd.toml. Without --address the daemon is found as by stepperctl. See stepperd-link(8).

      Exit status: 0 stopped, or there is nothing to do, 64 usage, 78 the configuration has errors.
      """,
    version: "stepperd-link \(LinkVersion.number)")

  @Option(help: ArgumentHelp("Read this configuration file instead of the daemon's.", valueName: "file"))
  var config: String?

  @Option(help: ArgumentHelp("The daemon's socket.", valueName: "socket"))
  var address: String?

  @Option(help: "Only the links of this scope: board or session.")
  var scope: Scope?

  @Flag(help: "Check the links of the configuration, print all problems, and exit.")
  var check = false

  enum Scope: String, ExpressibleByArgument, CaseIterable { case board, session }

  static func main() {
    StandardStream.prepare()
    do {
      var command = try Self.parse()
      try command.run()
    } catch let failure as ExitFailure {
      StandardStream.error.write(lines: failure.lines, timeout: .seconds(2))
      Glibc.exit(failure.code)
    } catch {
      let isAsked = Self.exitCode(for: error) == .success
      let stream: StandardStream = isAsked ? .output : .error
      stream.write(
        lines: Self.fullMessage(for: error).split(separator: "\n", omittingEmptySubsequences: false).map(
          String.init))
      Glibc.exit(isAsked ? EXIT_SUCCESS : EX_USAGE)
    }
  }

  mutating func run() throws {
    // Before there are threads: they all leave the signals to the first one. It waits for them itself, because where a
    // program's main function is async, that thread takes every signal.
    let signals = try SignalSource()
    let file = LinkConfigurationFile(explicit: config)
    let (all, warnings) = try file.load()
    let links = all.filter { scope == nil || $0.scope.rawValue == scope?.rawValue }
    if check { return report(file, links, warnings) }
    let output = LogOutput()
    let logger = Logger(label: "stepperd-link") { _ in StderrLogHandler(output) }
    for warning in warnings { logger.warning("\(warning)") }
    let notifier = SystemdNotifier.take()
    for problem in notifier.problems { logger.warning("\(problem)") }
    guard !links.isEmpty else {
      let which = scope.map { " of scope \"\($0.rawValue)\"" } ?? ""
      logger.notice("there is no [link.NAME]\(which) in \(file.name), so there is nothing to do")
      return Service(nil, notifier, logger).announce()
    }
    let work = Links(links, StepperClient(address: address), environment: ownEnvironment(), logger: logger)
    let service = Service(work, notifier, logger)
    let ended = try Wakeup()
    let (stop, stopper) = AsyncStream.makeStream(of: Void.self)
    Task.detached {
      await service.run(until: stop)
      ended.signal()
    }
    var polled = [signals.rawDescriptor, ended.descriptor].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    while polled[1].revents == 0 {
      _ = unsafe poll(&polled, nfds_t(polled.count), -1)
      if signals.next() != nil { stopper.yield() }
    }
  }

  private func report(
    _ file: LinkConfigurationFile, _ links: [LinkConfiguration], _ warnings: [ConfigurationProblem]
  ) {
    for warning in warnings { StandardStream.output.write(line: "\(warning)") }
    for link in links {
      let mute = link.mute.map { " and \($0)" } ?? ""
      StandardStream.output.write(line: "\(link.name): \(link.control)\(mute) ↔ \(link.target)")
    }
    StandardStream.output.write(
      line: "\(file.name): no errors in \(links.count) link\(links.count == 1 ? "" : "s")")
  }
}

/// Why the program ends, and with which of the codes of sysexits.h.
struct ExitFailure: Error {
  let code: CInt
  let lines: [String]

  init(_ code: CInt, _ lines: [String]) { (self.code, self.lines) = (code, lines) }
}

/// The environment, for coprocesses.
private func ownEnvironment() -> [String: String] {
  var result: [String: String] = [:]
  var entry = unsafe environ
  while let text = unsafe entry.pointee {
    let parts = unsafe String(cString: text).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2 { result[String(parts[0])] = String(parts[1]) }
    unsafe entry += 1
  }
  return result
}
