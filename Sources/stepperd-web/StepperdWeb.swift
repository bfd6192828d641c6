internal import ArgumentParser
internal import Glibc
internal import Logging
internal import StepperClient
internal import StepperConfiguration
internal import StepperLinux
internal import StepperProgram
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
      Without --config it reads ~/.config/stepperd/stepperd-web.toml if that exists, else /etc/stepperd/stepperd-web.toml. \
      Without --address the daemon is found as by stepperctl. See stepperd-web(8).

      The panel's files: \(installedFiles). Examples of pages: \(share)/doc/stepperd-web/examples. Pages of your own: the folder \
      that pages = "…" names in the configuration; its index.html is at http://127.0.0.1:8383/pages/.

      Exit status: 0 stopped, 64 usage, 69 something is not there, 71 the system \
      refused something, 78 the configuration has errors.
      """,
    version: "stepperd-web \(Product.version)")

  @OptionGroup var configuration: ConfigurationOption

  @Option(
    help: ArgumentHelp(
      "Listen at this address instead of the configuration's: HOST:PORT in numbers, localhost:PORT or unix:PATH. Port 0 is any that is free.",
      valueName: "address"))
  var listen: [String] = []

  @OptionGroup var daemon: AddressOption

  @Option(
    help: ArgumentHelp("The folder of the panel's files, instead of the installed ones.", valueName: "folder")
  )
  var files: String?

  @Flag(help: "Check the configuration, print all problems, and exit.")
  var check = false

  @Flag(help: "Print a new token for the token file, and exit.")
  var newToken = false

  static func main() { runProgram() }

  func validate() throws {
    for text in listen where WebAddress.all(text) == nil {
      throw ValidationError(
        "\(text) is not an address; write HOST:PORT in numbers such as 127.0.0.1:8383 or [::1]:8383, localhost:PORT or unix:PATH"
      )
    }
  }

  mutating func run() throws {
    if newToken { return try printAnswer([RandomName.make()]) }
    // Done before other threads exist, so that all of them leave the signals to the first one. That thread waits for signals itself: if
    // the program's main function were async, it would take every signal.
    let signals = try SignalSource(numbers: [SIGTERM, SIGINT, SIGHUP])
    let source = ConfigurationSource(named: "stepperd-web.toml", explicit: configuration.config)
    let loaded = try source.load { WebSettings.load($0, file: $1) }
    let (settings, warnings) = loaded ?? (WebSettings(), [])
    if check { return try report(source, settings, warnings, isThere: loaded != nil) }
    let logger = programLogger("stepperd-web")
    for warning in warnings { logger.warning("\(warning)") }
    try serve(settings, logger, signals)
  }

  private func report(
    _ source: ConfigurationSource, _ settings: WebSettings, _ warnings: [ConfigurationProblem], isThere: Bool
  ) throws {
    try printAnswer(warnings.map(\.description))
    let problems = WebProgram.problems(effective(settings)).map { "\(source.path): error: \($0)" }
    guard problems.isEmpty else { throw ExitFailure(.configuration, problems: problems) }
    try printAnswer([
      isThere
        ? "\(source.path): no errors"
        : "\(source.absence); without it all settings have their defaults: no errors"
    ])
  }

  /// The settings with the options of the command line, and with the service's credential if no other token file is named.
  private func effective(_ settings: WebSettings) -> WebSettings {
    var settings = settings
    if !listen.isEmpty { settings.listen = listen.flatMap { WebAddress.all($0) ?? [] } }
    settings.tokenFile = settings.tokenFile ?? credentialFile("web-tokens")
    return settings
  }

  /// Serves until a signal arrives.
  private func serve(_ settings: WebSettings, _ logger: Logger, _ signals: borrowing SignalSource) throws {
    WebThreads.limit()
    let notices = ServiceNotices(logger)
    var options = WebOptions(effective(settings), files: files ?? Self.installedFiles)
    options.address = daemon.address
    if listen.isEmpty {
      options.inherited = ListenDescriptors.take(families: [AF_UNIX, AF_INET, AF_INET6]) {
        logger.warning("\($0)")
      }.map(\.rawValue)
    }
    let (stop, outcome) = (Signal(), Outcome())
    let (changes, file) = (options.tokenFileChanges, options.settings.tokenFile.map { FilePath($0) })
    try StepperProgram.run(
      { [options] in
        let failure = await Self.serve(options, notices, logger, until: stop)
        outcome.failure.withLock { $0 = failure }
      }, signals: signals, watching: file
    ) { event in
      switch event {
      case .stop: stop.signal()
      case .hangUp, .fileChange: changes.signal()
      case .noFileChanges(let error):
        logger.warning("changes of the token file are noticed once a minute only: \(error)")
      }
    }
    if let failure = outcome.failure.withLock(\.self) { throw failure }
  }

  /// Why the program cannot serve; nil: it was stopped.
  private static func serve(
    _ options: WebOptions, _ notices: ServiceNotices, _ logger: Logger, until stop: Signal
  ) async -> ExitFailure? {
    do {
      let program = try await WebProgram(options, logger: logger)
      // Under a service manager nobody reads the greeting.
      if !notices.notifier.isConnected {
        StandardStream.output.write(
          lines: program.addresses.map { "stepperd-web: \($0)" }, timeout: .milliseconds(100))
      }
      try await WebService(program, notices, logger).run(until: stop)
      return nil
    } catch let failure as WebStartFailure {
      return ExitFailure(failure.kind == .configuration ? .configuration : .unavailable, "\(failure)")
    } catch {
      return ExitFailure(.system, "\(error)")
    }
  }

  /// The place where the package installs the panel's files, relative to the folder of the program.
  private static var installedFiles: String { "\(share)/stepperd/panel" }

  private static var share: FilePath {
    (executablePath?.removingLastComponent().removingLastComponent() ?? "/usr").appending("share")
  }
}

/// Passes the result from the task that serves to the thread that waits for it.
private final class Outcome: Sendable {
  let failure = Mutex<ExitFailure?>(nil)
}
