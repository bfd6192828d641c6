internal import ArgumentParser
internal import Glibc
internal import Logging
internal import StepperConfiguration
internal import StepperLinux
internal import StepperMQTT
internal import StepperProgram
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

      Exit status: 0 stopped or done, 1 the broker does not pass on messages (check), 64 usage, 69 something is not there, 78 the configuration has errors.
      """,
    version: "stepperd-mqtt \(Product.version)", subcommands: [Run.self, CheckBridge.self, Forget.self],
    defaultSubcommand: Run.self)

  static func main() { runProgram() }
}

struct CommonOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Read this configuration file instead of the default one.", valueName: "file"))
  var config: String?

  var source: ConfigurationSource { ConfigurationSource(named: "stepperd.toml", explicit: config) }

  /// The plan of the file; warnings are printed to standard error.
  func plan(suffix: String = "") throws -> Plan {
    let plan = try silentPlan(suffix: suffix)
    StandardStream.error.write(lines: plan.warnings, timeout: .seconds(2))
    return plan
  }

  func silentPlan(suffix: String = "") throws -> Plan {
    let (settings, warnings) = try load(source)
    var plan = try Plan(settings, suffix: suffix)
    plan.warnings.insert(contentsOf: warnings.map(\.description), at: 0)
    return plan
  }

  /// The settings of a file, and warnings of them.
  private func load(
    _ source: ConfigurationSource
  ) throws -> (settings: MQTTSettings, warnings: [ConfigurationProblem]) {
    guard let bytes = try source.read() else {
      throw ExitFailure(
        .configuration, problems: ["\(source.path): error: there is no such file; write [mqtt] into it"])
    }
    let (settings, problems) = MQTTSettings.load(bytes, file: source.path)
    guard let settings else {
      let hasErrors = problems.contains { $0.severity == .error }
      let missing = "\(source.path): error: there is no [mqtt]; write it with broker = \"mqtts://HOST\""
      throw ExitFailure(.configuration, problems: hasErrors ? problems.map(\.description) : [missing])
    }
    return (settings, problems)
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
    _ = try common.plan()
    if check {
      return StandardStream.output.write(line: "\(common.source.path): no errors in [mqtt]")
    }
    limitMemory(toBytes: memoryLimit)
    let output = LogOutput()
    let logger = Logger(label: "stepperd-mqtt") { _ in StderrLogHandler(output) }
    let notices = ServiceNotices(logger)
    // Another plan that needs another connection begins as a start does: nothing of the former one stays.
    while try MQTTService(
      { try common.silentPlan() }, address: daemon.address, logger, notices
    ).run() == .changed {}
  }
}

struct CheckBridge: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract:
      "Check the configuration, connect to the broker, and print how each control appears in Home Assistant.")

  @OptionGroup var common: CommonOptions
  @OptionGroup var daemon: AddressOption

  func run() throws {
    let (lines, verdict) = try Checking(plan: try common.plan(suffix: "-check"), address: daemon.address)
      .run()
    StandardStream.output.write(lines: lines)
    switch verdict {
    case .well: break
    case .silent: Glibc.exit(1)
    case .unavailable: Glibc.exit(EX_UNAVAILABLE)
    }
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
