import Glibc
import StepperConfiguration
import StepperDaemon
import StepperLinux
import SystemPackage

/// Does what the command line asks for, and prints the reason of a failure.
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
      // A file that is named may be for either scope. Without an option it is checked for the system service.
      let scope = arguments.scope ?? (arguments.configuration == nil ? paths.scope : .system)
      return arguments.configuration == "-"
        ? checkStandardInput(for: scope)
        : check(for: scope) { () throws(ConfigurationFailure) in
          try options.configurationFile.load()
        }
    case .printHelp:
      let lines = CommandLineOptions.help.split(separator: "\n", omittingEmptySubsequences: false)
      return answer(lines.map(String.init))
    case .printVersion: return answer([Product.version])
    }
  }

  /// Prints the requested lines. Returns `code` if they could be written, otherwise the exit code of the failure.
  private func answer(_ lines: [String], _ code: CInt = EX_OK) -> CInt {
    do throws(Errno) {
      try StandardStream.answer(lines: lines)
      return code
    } catch {
      return explain(.system(StandardStream.lost(error)))
    }
  }

  /// `path` as an absolute path: clients, such as commands of hooks and stepperctl, have other working directories.
  private func absolutePath(_ path: String) -> String {
    var absolute = currentDirectory.pushing(FilePath(path))
    absolute.components.removeAll { $0.kind == .currentDirectory }
    return absolute.string
  }

  /// The current directory; empty if it was removed.
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

  /// Checks the standard input as "stepperctl check -" does, with the same exit codes.
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
      let lines = problems.map(\.description)
      // These include the errors of an included file, although a start would only leave that file out.
      guard !problems.contains(where: { $0.severity == .error }) else { return answer(lines, EX_CONFIG) }
      return answer(lines + ["\(loaded.name): no errors"])
    } catch {
      // Requested output is written to standard output.
      return answer(error.problems.map(\.description), EX_CONFIG)
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
    // A service that cannot start must end, even if standard error has no reader.
    StandardStream.error.write(lines: lines, timeout: .seconds(2))
    return code
  }

  /// How to call `stepperctl` from here: by its name if it is found in `PATH`, otherwise by its path beside this program.
  private var stepperctlCommand: String {
    guard let own = executablePath?.removingLastComponent() else { return "stepperctl" }
    // The name that this program was called by. It is only joined with another name and printed.
    let called = FilePath(CommandLine.arguments[0])
    // If this program was called by a path, `stepperctl` is called by the same path, which is shorter than the full one.
    if called.components.count > 1 { return called.removingLastComponent().appending("stepperctl").string }
    let path = environmentVariable("PATH") ?? ""
    if path.split(separator: ":").contains(where: { FilePath(String($0)) == own }) { return "stepperctl" }
    return own.appending("stepperctl").string
  }
}
