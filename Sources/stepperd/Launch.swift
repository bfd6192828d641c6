import Glibc
import StepperConfiguration
import StepperDaemon
import StepperLinux
import SystemPackage

/// Performs the command line, and prints the reason of a failure.
@main struct Launch {
  private let arguments: CommandLineOptions

  /// Exits with one of the codes of sysexits.h.
  static func main() {
    StandardStream.prepare()
    do throws(CommandLineOptions.UsageError) {
      exit(Launch(arguments: try .read()).run())
    } catch {
      if let message = error.message { StandardStream.error.write(line: "stepperd: \(message)") }
      StandardStream.error.write(line: "Try \"stepperd --help\".")
      exit(EX_USAGE)
    }
  }

  /// Runs to the end; returns the exit code.
  private func run() -> CInt {
    let paths = Paths(scope: arguments.scope, environment: environmentVariable, userID: effectiveUserID)
    // Messages of a check name the file as it was given.
    let configuration =
      arguments.task == .run ? arguments.configuration.map(absolutePath) : arguments.configuration
    var options = DaemonOptions(paths: paths, configurationPath: configuration)
    options.socketPath = arguments.socket.map(absolutePath)
    options.logLevel = arguments.logLevel
    options.recording = arguments.record.map {
      EngineRecording(path: absolutePath($0), limit: arguments.recordLimit)
    }
    switch arguments.task {
    case .run: return serve(options)
    case .check:
      // A file of its own may be for either.
      let scope = arguments.scope ?? (arguments.configuration == nil ? paths.scope : .system)
      return arguments.configuration == "-"
        ? checkStandardInput(for: scope)
        : check(for: scope) { () throws(ConfigurationFailure) in
          try options.configurationFile.load()
        }
    case .printHelp:
      let lines = CommandLineOptions.help.split(separator: "\n", omittingEmptySubsequences: false)
      StandardStream.output.write(lines: lines.map(String.init))
    case .printVersion: StandardStream.output.write(line: Product.version)
    }
    return EX_OK
  }

  /// `path` as an absolute path: clients, such as commands of hooks and stepperctl, have other working directories.
  private func absolutePath(_ path: String) -> String {
    var absolute = currentDirectory.pushing(FilePath(path))
    absolute.components.removeAll { $0.kind == .currentDirectory }
    return absolute.string
  }

  /// Empty if it was removed.
  private var currentDirectory: FilePath {
    guard let path = unsafe getcwd(nil, 0) else { return FilePath() }
    defer { unsafe free(path) }
    return unsafe FilePath(platformString: path)
  }

  private func serve(_ options: DaemonOptions) -> CInt {
    do throws(StartFailure) {
      // The daemon takes the variable out of the environment.
      let isManaged = environmentVariable("NOTIFY_SOCKET") != nil
      let daemon = try Daemon(options)
      // A service manager reads no greetings.
      if !isManaged {
        let lines = daemon.greeting.lines(command: stepperctlCommand)
        // Clients wait during this write, and standard output may have no reader.
        StandardStream.output.write(lines: lines, timeout: .milliseconds(100))
      }
      try daemon.run()
      return EX_OK
    } catch {
      return explain(error)
    }
  }

  /// As "stepperctl check -" does, with the same exit codes.
  private func checkStandardInput(for scope: Paths.Scope) -> CInt {
    let limit = ConfigurationLimit.fileBytes
    let bytes: [UInt8]
    do throws(Errno) {
      bytes = try StandardStream.input(limit: limit)
    } catch .fileTooLarge {
      StandardStream.error.write(
        line: "stepperd: <stdin> is longer than \(limit) bytes, the most that is allowed")
      return EX_CONFIG
    } catch {
      StandardStream.error.write(line: "stepperd: cannot read <stdin>: \(error)")
      return EXIT_FAILURE
    }
    return check(for: scope) { () throws(ConfigurationFailure) in
      try ConfigurationFile.load(standardInput: bytes)
    }
  }

  private func check(
    for scope: Paths.Scope, _ load: () throws(ConfigurationFailure) -> ConfigurationFile.Loaded
  ) -> CInt {
    do throws(ConfigurationFailure) {
      let loaded = try load()
      let problems = loaded.warnings + loaded.accounts(scope: scope).problems
      for problem in problems { StandardStream.output.write(line: "\(problem)") }
      // Also those of an included file, which is left out at the start.
      guard !problems.contains(where: { $0.severity == .error }) else { return EX_CONFIG }
      StandardStream.output.write(line: "\(loaded.name): no errors")
      return EX_OK
    } catch {
      // Requested output is written to standard output.
      for problem in error.problems { StandardStream.output.write(line: "\(problem)") }
      return EX_CONFIG
    }
  }

  /// Prints the problem to standard error; returns the exit status.
  private func explain(_ failure: StartFailure) -> CInt {
    let (lines, code): ([String], CInt) =
      switch failure {
      case .configuration(let problems): (problems.map(\.description), EX_CONFIG)
      case .unavailable(let message): (["stepperd: \(message)"], EX_UNAVAILABLE)
      case .noPermission(let message): (["stepperd: \(message)"], EX_NOPERM)
      case .system(let message): (["stepperd: \(message)"], EX_OSERR)
      }
    // A service that cannot start must end, also if standard error has no reader.
    StandardStream.error.write(lines: lines, timeout: .seconds(2))
    return code
  }

  /// How to call `stepperctl` from here: by its name if it is found in `PATH`, else where it lies beside us.
  private var stepperctlCommand: String {
    guard let own = executablePath?.removingLastComponent() else { return "stepperctl" }
    // Its own name: it is put together with another one, and printed.
    let called = FilePath(CommandLine.arguments[0])
    // Started by a path, it is called by the same path, which is shorter.
    if called.components.count > 1 { return called.removingLastComponent().appending("stepperctl").string }
    let path = environmentVariable("PATH") ?? ""
    if path.split(separator: ":").contains(where: { FilePath(String($0)) == own }) { return "stepperctl" }
    return own.appending("stepperctl").string
  }
}
