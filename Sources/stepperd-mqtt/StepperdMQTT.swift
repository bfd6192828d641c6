internal import ArgumentParser
internal import Glibc
internal import Logging
internal import StepperConfiguration
internal import StepperMosquitto
internal import StepperSystem
internal import SystemPackage

/// The command line program.
@main
struct StepperdMQTT: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stepperd-mqtt",
    abstract: "Publish the controls of stepperd at an MQTT broker, and to Home Assistant.",
    discussion: """
      It reads [mqtt] in the daemon's configuration file: see stepperd.toml(5). Without --config it is stepperd.toml in \
      /etc/stepperd, or in stepperd of the user's configuration folder, if there is one. Without --address the daemon is \
      found as by stepperctl. See stepperd-mqtt(8).

      Exit status: 0 stopped or done, 64 usage, 69 something is not there, 78 the configuration has errors.
      """,
    version: "stepperd-mqtt \(ProgramVersion.number)", subcommands: [Run.self, Check.self, Forget.self],
    defaultSubcommand: Run.self)

  static func main() {
    StandardStream.prepare()
    do {
      var command = try Self.parseAsRoot()
      try command.run()
    } catch let failure as ProgramFailure {
      let lines = failure.description.split(separator: "\n").map { line in
        line.contains(": error: ") || line.contains(": warning: ") ? String(line) : "stepperd-mqtt: \(line)"
      }
      StandardStream.error.write(lines: lines, timeout: .seconds(2))
      Glibc.exit(failure.code)
    } catch let error as Errno {
      StandardStream.error.write(lines: ["stepperd-mqtt: \(error)"], timeout: .seconds(2))
      Glibc.exit(EX_OSERR)
    } catch {
      let isAsked = Self.exitCode(for: error) == .success
      let stream: StandardStream = isAsked ? .output : .error
      stream.write(
        lines: Self.fullMessage(for: error).split(separator: "\n", omittingEmptySubsequences: false).map(
          String.init))
      Glibc.exit(isAsked ? EXIT_SUCCESS : EX_USAGE)
    }
  }
}

struct CommonOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Read this configuration file instead of the default one.", valueName: "file"))
  var config: String?

  /// What the file says; warnings are printed to standard error.
  func plan(suffix: String = "") throws -> Plan {
    let source = ConfigurationSource(explicit: config)
    let (settings, warnings) = try source.load()
    let plan = try Plan(settings, suffix: suffix)
    StandardStream.error.write(lines: warnings.map(\.description) + plan.warnings, timeout: .seconds(2))
    return plan
  }
}

struct AddressOption: ParsableArguments {
  @Option(help: ArgumentHelp("The daemon's socket.", valueName: "socket"))
  var address: String?
}

/// A message of any size ends the connection and not the machine.
private let memoryLimit: UInt = 96 << 20

struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Run the bridge; the default.")

  @OptionGroup var common: CommonOptions
  @OptionGroup var daemon: AddressOption
  @Flag(help: "Check the configuration and the files that it names, print all problems, and exit.")
  var check = false

  func run() throws {
    let plan = try common.plan()
    if check {
      let name = ConfigurationSource(explicit: common.config).path
      return StandardStream.output.write(line: "\(name): no errors in [mqtt]")
    }
    limitMemory(toBytes: memoryLimit)
    let output = LogOutput()
    let logger = Logger(label: "stepperd-mqtt") { _ in StderrLogHandler(output) }
    let notifier = SystemdNotifier.take()
    for problem in notifier.problems { logger.warning("\(problem)") }
    try Service(plan, address: daemon.address, logger, notifier).run()
  }
}

struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Check the configuration, connect to the broker, and tell how each control appears in Home Assistant.")

  @OptionGroup var common: CommonOptions
  @OptionGroup var daemon: AddressOption

  func run() throws {
    let (lines, isWell) = try Checking(plan: try common.plan(suffix: "-check"), address: daemon.address).run()
    StandardStream.output.write(lines: lines)
    if !isWell { Glibc.exit(EX_UNAVAILABLE) }
  }
}

struct Forget: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Clear everything that the broker retains of this board; stop the bridge first.")

  @OptionGroup var common: CommonOptions

  func run() throws {
    StandardStream.output.write(lines: try Forgetting(plan: try common.plan(suffix: "-forget")).run())
  }
}
