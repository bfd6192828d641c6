internal import ArgumentParser
internal import StepperConfiguration
internal import StepperProgram

/// The command line program.
@main
struct StepperdMidi: ParsableCommand {
  static let configuration = CommandConfiguration(
    of: .midi, abstract: "Bring knobs, faders and buttons of MIDI controllers to stepperd.",
    reads: "the ports of the kernel's sequencer, and the tables [midi.NAME]",
    exitStatus: "0 stopped, 64 usage, 69 the ALSA sequencer is not available (with --list)")

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
    try tables.run(.midi, needed: nil) { [address = daemon.address] in
      try MidiService($0, address: address, $1, $2).run(hasChanged: $3)
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
      return try printAnswer(["there is no port that can be read"])
    }
    try printAnswer(
      ports.map { port in
        let owner = port.card.map { "card \($0)" } ?? "a program, which needs a table to be read"
        return "\(port.name): \(owner)"
      })
  }
}
