internal import ArgumentParser
internal import Logging
internal import StepperConfiguration
internal import StepperLinux
internal import StepperProgram
internal import Varlink

/// The command line program.
@main
struct StepperdMidi: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stepperd-midi",
    abstract: "Bring knobs, faders and buttons of MIDI controllers to stepperd.",
    discussion: """
      It reads the ports of the kernel's sequencer, and the tables [midi.NAME] of the daemon's configuration file: without \
      --config that of the user, if there is one, else /etc/stepperd/stepperd.toml. Without --address the daemon is found as \
      by stepperctl. See stepperd-midi(8).

      Exit status: 0 stopped, 64 usage, 69 there is no sequencer (with --list), 71 the system \
      refused something, 78 the configuration has errors.
      """,
    version: "stepperd-midi \(Product.version)")

  @OptionGroup var configuration: ConfigurationOption
  @OptionGroup var daemon: AddressOption

  @Flag(help: "Check the tables of MIDI in the configuration, print all problems, and exit.")
  var check = false

  @Flag(help: "Print the ports that can be read, and exit.")
  var list = false

  static func main() { runProgram() }

  mutating func run() throws {
    if list { return try printPorts() }
    let tables = ProgramTables(configuration.config, read: MidiConfiguration.load)
    if check {
      return try tables.report(("table of MIDI", "tables of MIDI")) { table in
        "\(table.name): \(table.port): \(table.isIgnored ? "left alone" : table.protocol.rawValue)"
      }
    }
    let logger = programLogger("stepperd-midi")
    let notices = ServiceNotices(logger)
    try tables.follow(logger) { [address = daemon.address] tables, hasChanged in
      try MidiService(tables, address: address, logger, notices).run(hasChanged: hasChanged)
    }
  }

  private func printPorts() throws {
    let ports: [Sequencer.Port]
    do throws(Sequencer.Failure) {
      ports = try Sequencer().ports()
    } catch {
      throw ExitFailure(.unavailable, error.reason)
    }
    guard !ports.isEmpty else {
      return StandardStream.output.write(line: "there is no port that can be read")
    }
    for port in ports {
      let owner = port.card.map { "card \($0)" } ?? "a program, which needs a table to be read"
      StandardStream.output.write(line: "\(port.name): \(owner)")
    }
  }
}
