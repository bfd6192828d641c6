internal import ArgumentParser
internal import Glibc
internal import Logging
internal import StepperConfiguration
internal import StepperLinux
internal import StepperMQTT
internal import StepperProgram
internal import Varlink

/// The command line program.
@main
struct StepperdMQTT: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stepperd-mqtt",
    abstract: "Publish the controls of stepperd at an MQTT broker, and to Home Assistant.",
    discussion: """
      It reads [mqtt] in the daemon's configuration file: see stepperd.toml(5). Without --config it reads \
      ~/.config/stepperd/stepperd.toml if that exists, else /etc/stepperd/stepperd.toml. Without --address the daemon is \
      found as by stepperctl. See stepperd-mqtt(8).

      Exit status: 0 stopped or done, 1 the broker does not pass on messages (check), 64 usage, 69 something is not there, \
      71 the system refused something, 78 the configuration has errors.
      """,
    version: isSigning ? "" : "stepperd-mqtt \(Product.version)",
    subcommands: [Run.self, CheckBridge.self, Forget.self, Enrol.self, SignConfig.self],
    defaultSubcommand: Run.self)

  /// Whether the command is `sign-config`, which has an option `--version`: the library's own one would be listed beside it.
  private static var isSigning: Bool {
    OutsideText.arguments?.contains(SignConfig.configuration.commandName ?? "") ?? false
  }

  static func main() { runProgram() }
}

struct CommonOptions: ParsableArguments {
  @OptionGroup var configuration: ConfigurationOption

  var source: ConfigurationSource {
    ConfigurationSource(named: "stepperd.toml", explicit: configuration.config)
  }

  /// The plan from the file. Warnings are printed to standard error.
  func plan(suffix: String = "") throws -> Plan {
    let plan = try silentPlan(suffix: suffix)
    StandardStream.error.write(lines: plan.warnings, timeout: .seconds(2))
    return plan
  }

  func silentPlan(suffix: String = "") throws -> Plan {
    guard let (bytes, found, warnings) = try load() else {
      throw ExitFailure(
        .configuration, problems: ["\(source.path): error: there is no such file; write [mqtt] into it"])
    }
    guard let settings = found else {
      let missing = "\(source.path): error: there is no [mqtt]; write it with broker = \"mqtts://HOST\""
      throw ExitFailure(.configuration, problems: [missing])
    }
    var plan = try Plan(withIncluded(settings, bytes), suffix: suffix)
    plan.warnings.insert(contentsOf: warnings.map(\.description), at: 0)
    return plan
  }

  /// The ID of the board. The file and its [mqtt] may still be missing.
  func id() throws -> String { try load()?.settings?.id ?? BoardID.ofThisMachine() }

  /// The file, the settings of its [mqtt], and their warnings; nil: there is no file.
  private func load() throws -> (file: [UInt8], settings: MQTTSettings?, warnings: [ConfigurationProblem])? {
    guard let bytes = try source.read() else { return nil }
    let (settings, problems) = MQTTSettings.load(bytes, file: source.path)
    guard settings != nil || !problems.contains(where: { $0.severity == .error }) else {
      throw ExitFailure(.configuration, problems: problems.map(\.description))
    }
    return (bytes, settings, problems)
  }

  /// The settings, with what the included file says about controls. If that file cannot be used, the daemon reports it.
  private func withIncluded(_ settings: MQTTSettings, _ bytes: [UInt8]) -> MQTTSettings {
    guard let path = settings.includedFile,
      // The file is missing or cannot be read.
      let included = try? SmallFile.readIncluded(path, limit: IncludedConfiguration.mostBytes),
      let both = IncludedConfiguration.join(bytes, included, file: path).joined
    else { return settings }
    return MQTTSettings.load(both.text, file: source.path).settings ?? settings
  }
}

/// The limit of this process's memory: a message of any size ends the connection and does not fill up the machine's memory.
private let memoryLimit: UInt = 96 << 20

struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Run the bridge; the default.")

  @OptionGroup var common: CommonOptions
  @OptionGroup var daemon: AddressOption
  @Flag(help: "Check the configuration and the files that it names, print all problems, and exit.")
  var check = false

  func run() throws {
    let first = try common.plan()
    if check {
      return try printAnswer(["\(common.source.path): no errors in [mqtt]"])
    }
    limitMemory(toBytes: memoryLimit)
    let logger = programLogger("stepperd-mqtt")
    let notices = ServiceNotices(logger)
    // A plan that needs a new connection starts from scratch: nothing of the former plan is left. It was checked without errors and is
    // not read again, because the files may have errors by now.
    var next: Plan? = first
    var doneCommands = DoneCommands()
    while let plan = next {
      let service = try MQTTService(
        plan, again: { try common.silentPlan() }, common.source, address: daemon.address,
        doneCommands: doneCommands, logger, notices)
      next = try service.run()
      doneCommands = service.doneCommands
      leave(service.plan, for: next, logger)
    }
  }

  /// Clears the broker's messages of a board that has new names, with the user and the password from before.
  private func leave(_ former: Plan, for next: Plan?, _ logger: Logger) {
    // A configuration that cannot be read does not count as a change.
    guard let present = (next ?? (try? common.silentPlan()))?.bridge,
      !present.hasSameNames(as: former.bridge)
    else { return }
    var former = former
    former.broker.clientID += "-forget"
    let (bridge, url) = (former.bridge, former.broker.url)
    do {
      _ = try Forgetting(plan: former, present: present, isLeaving: true).run()
      logger.info(
        "the board is not \(bridge.prefix)/\(bridge.id) at \(url) any more: its retained messages are cleared"
      )
    } catch {
      logger.warning(
        "\(url) may still retain messages of \(bridge.prefix)/\(bridge.id): \(error); clear them with stepperd-mqtt forget --id \(bridge.id) --prefix \(bridge.prefix) --discovery-prefix \(bridge.discoveryPrefix)"
      )
    }
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
    try printAnswer(lines)
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
  @Option(help: ArgumentHelp("What the board had as id before.", valueName: "id"))
  var id: String?
  @Option(help: ArgumentHelp("What it had as prefix.", valueName: "prefix"))
  var prefix: String?
  @Option(help: ArgumentHelp("What it had as discovery-prefix.", valueName: "prefix"))
  var discoveryPrefix: String?

  func validate() throws {
    for (option, text, hasLevels) in [
      ("id", id, false), ("prefix", prefix, true), ("discovery-prefix", discoveryPrefix, true),
    ] {
      guard let text else { continue }
      let levels = text.split(separator: "/", omittingEmptySubsequences: false)
      guard levels.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(isBareKeyByte) }),
        hasLevels || levels.count == 1, hasLevels || text.utf8.count <= 64
      else {
        throw ValidationError(
          "--\(option) must be of letters, digits, - and _\(hasLevels ? " with / between levels" : ", at most 64"), as in the configuration"
        )
      }
    }
  }

  func run() throws {
    var plan = try common.plan(suffix: "-forget")
    let present = plan.bridge
    if let id { plan.bridge.id = id }
    if let prefix { plan.bridge.prefix = prefix }
    if let discoveryPrefix { plan.bridge.discoveryPrefix = discoveryPrefix }
    let isFormer = !plan.bridge.hasSameNames(as: present)
    try printAnswer(try Forgetting(plan: plan, present: isFormer ? present : nil).run())
  }
}
