internal import ArgumentParser
internal import Logging
internal import StepperConfiguration
internal import StepperLinux
internal import StepperProgram
internal import Varlink

/// The command line program.
@main
struct StepperdSerial: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stepperd-serial",
    abstract: "Bring knobs, buttons, faders and lights of microcontrollers on serial lines to stepperd.",
    discussion: """
      It reads the tables [serial.NAME] of the daemon's configuration file: without --config that of the user, if there is \
      one, else /etc/stepperd/stepperd.toml. Without --address the daemon is found as by stepperctl. See stepperd-serial(8).

      Exit status: 0 stopped, or there is nothing to do, 64 usage, 71 the system \
      refused something, 78 the configuration has errors.
      """,
    version: "stepperd-serial \(Product.version)")

  @OptionGroup var configuration: ConfigurationOption
  @OptionGroup var daemon: AddressOption

  @Flag(help: "Check the serial lines of the configuration, print all problems, and exit.")
  var check = false

  static func main() { runProgram() }

  mutating func run() throws {
    let tables = ProgramTables(configuration.config, read: SerialConfiguration.load)
    if check {
      return try tables.report(("serial line", "serial lines")) { port in
        "\(port.name): \(port.port) at \(port.baud.rawValue) baud"
      }
    }
    let logger = programLogger("stepperd-serial")
    let notices = ServiceNotices(logger)
    try tables.follow(logger) { [address = daemon.address] ports, hasChanged in
      guard !ports.isEmpty else {
        tables.sayNothingToDo(without: "[serial.NAME]", logger, notices)
        return false
      }
      return try SerialService(ports, address: address, logger, notices).run(hasChanged: hasChanged)
    }
  }
}
