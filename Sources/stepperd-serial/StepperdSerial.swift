internal import ArgumentParser
internal import StepperConfiguration
internal import StepperProgram

/// The command line program.
@main
struct StepperdSerial: ParsableCommand {
  static let configuration = CommandConfiguration(
    of: .serial,
    abstract: "Bring knobs, buttons, faders and lights of microcontrollers on serial lines to stepperd.",
    reads: "the tables [serial.NAME]", exitStatus: "0 stopped, or there is nothing to do, 64 usage")

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
    try tables.run(.serial, needed: "[serial.NAME]") { [address = daemon.address] in
      try SerialService($0, address: address, $1, $2).run(hasChanged: $3)
    }
  }
}
