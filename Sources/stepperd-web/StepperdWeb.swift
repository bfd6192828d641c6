internal import ArgumentParser
internal import Glibc
internal import Logging
internal import StepperClient
internal import StepperConfiguration
internal import StepperSystem
internal import StepperWeb
internal import Synchronization
internal import SystemPackage

/// The command line program.
@main
struct StepperdWeb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stepperd-web",
    abstract: "Serve the controls of stepperd as a panel for browsers.",
    discussion: """
      Without --config it reads stepperd-web.toml in /etc/stepperd, or in stepperd of the user's configuration folder, \
      if there is one. Without --address the daemon is found as by stepperctl. See stepperd-web(8).

      Exit status: 0 stopped, 64 usage, 69 something is not there, 78 the configuration has errors.
      """,
    version: "stepperd-web \(WebVersion.number)")

  @Option(help: ArgumentHelp("Read this configuration file instead of the default one.", valueName: "file"))
  var config: String?

  @Option(
    help: ArgumentHelp(
      "Listen at this address instead of the configuration's: HOST:PORT in numbers, localhost:PORT or unix:PATH. Port 0 is any that is free.",
      valueName: "address"))
  var listen: [String] = []

  @Option(help: ArgumentHelp("The daemon's socket.", valueName: "socket"))
  var address: String?

  @Option(
    help: ArgumentHelp("The folder of the panel's files, instead of the installed ones.", valueName: "folder")
  )
  var files: String?

  @Flag(help: "Check the configuration, print all problems, and exit.")
  var check = false

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

  func validate() throws {
    for text in listen where WebAddress.all(text) == nil {
      throw ValidationError(
        "\(text) is no address: it is HOST:PORT in numbers such as 127.0.0.1:8383 or [::1]:8383, localhost:PORT or unix:PATH"
      )
    }
  }

  mutating func run() throws {
    // Before there are threads: they all leave the signals to the first one. It waits for them itself, because where a
    // program's main function is async, that thread takes every signal.
    let signals = try SignalSource(numbers: [SIGTERM, SIGINT, SIGHUP])
    let file = WebConfigurationFile(explicit: config)
    let (settings, warnings) = try file.load()
    if check { return try report(file, settings, warnings) }
    let output = LogOutput()
    let logger = Logger(label: "stepperd-web") { _ in StderrLogHandler(output) }
    for warning in warnings { logger.warning("\(warning)") }
    try serve(settings, logger, signals)
  }

  private func report(
    _ file: WebConfigurationFile, _ settings: WebSettings, _ warnings: [ConfigurationProblem]
  ) throws {
    for warning in warnings { StandardStream.output.write(line: "\(warning)") }
    do throws(WebStartFailure) {
      try WebProgram.check(effective(settings))
    } catch {
      throw ExitFailure(EX_CONFIG, ["\(file.name): error: \(error)"])
    }
    StandardStream.output.write(line: "\(file.name): no errors")
  }

  /// With what the command line says.
  private func effective(_ settings: WebSettings) -> WebSettings {
    var settings = settings
    if !listen.isEmpty { settings.listen = listen.flatMap { WebAddress.all($0) ?? [] } }
    return settings
  }

  /// Serves until a signal comes.
  private func serve(_ settings: WebSettings, _ logger: Logger, _ signals: borrowing SignalSource) throws {
    let notifier = SystemdNotifier.take()
    for problem in notifier.problems { logger.warning("\(problem)") }
    var options = WebOptions(effective(settings), files: files ?? installedFiles)
    options.address = address
    if listen.isEmpty {
      options.inherited = ListenDescriptors.take(families: [AF_UNIX, AF_INET, AF_INET6]) {
        logger.warning("\($0)")
      }.map(\.rawValue)
    }
    let stop = Signal()
    let ended = try Wakeup()
    let outcome = Outcome()
    Task.detached { [options] in
      let failure = await Self.serve(options, notifier, logger, until: stop)
      outcome.failure.withLock { $0 = failure }
      ended.signal()
    }
    var polled = [signals.rawDescriptor, ended.descriptor].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    while polled[1].revents == 0 {
      _ = unsafe poll(&polled, nfds_t(polled.count), -1)
      if signals.nextNumber() != nil { stop.signal() }
    }
    if let failure = outcome.failure.withLock(\.self) { throw failure }
  }

  /// Why it cannot serve; nil: it was stopped.
  private static func serve(
    _ options: WebOptions, _ notifier: SystemdNotifier, _ logger: Logger, until stop: Signal
  ) async -> ExitFailure? {
    do {
      let program = try await WebProgram(options, logger: logger)
      // A service manager reads no greetings.
      if !notifier.isConnected {
        StandardStream.output.write(
          lines: program.addresses.map { "stepperd-web: \($0)" }, timeout: .milliseconds(100))
      }
      try await Service(program, notifier, logger).run(until: stop)
      return nil
    } catch let failure as WebStartFailure {
      let code = failure.kind == .configuration ? EX_CONFIG : EX_UNAVAILABLE
      return ExitFailure(code, ["stepperd-web: \(failure)"])
    } catch {
      return ExitFailure(EX_OSERR, ["stepperd-web: \(error)"])
    }
  }

  /// Where the package puts them, beside the folder of the program.
  private var installedFiles: String {
    let prefix = executablePath?.removingLastComponent().removingLastComponent() ?? "/usr"
    return prefix.appending("share/stepperd/panel").string
  }
}

/// What the task that serves leaves for the thread that waits for it.
private final class Outcome: Sendable {
  let failure = Mutex<ExitFailure?>(nil)
}

/// Why the program ends, and with which of the codes of sysexits.h.
struct ExitFailure: Error {
  let code: CInt
  let lines: [String]

  init(_ code: CInt, _ lines: [String]) { (self.code, self.lines) = (code, lines) }
}
