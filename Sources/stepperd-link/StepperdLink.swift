internal import ArgumentParser
internal import StepperConfiguration
internal import StepperLinux
internal import StepperProgram
internal import Varlink

/// The command line program.
@main
struct StepperdLink: ParsableCommand {
  static let configuration = CommandConfiguration(
    of: .link, abstract: "Keep controls of stepperd equal with mixers, screens, lights and programs.",
    reads: "the tables [link.NAME]", exitStatus: "0 stopped, or there is nothing to do, 64 usage")

  @OptionGroup var configuration: ConfigurationOption
  @OptionGroup var daemon: AddressOption

  @Option(help: "Only the links of this scope: board or session.")
  var scope: Scope?

  @Flag(help: "Check the links of the configuration, print all problems, and exit.")
  var check = false

  enum Scope: String, ExpressibleByArgument, CaseIterable { case board, session }

  static func main() {
    if let arguments = OutsideText.arguments, arguments.first == OutsideProgram.option,
      let program = OutsideProgram(arguments: Array(arguments.dropFirst()))
    {
      program.run()
    }
    runProgram()
  }

  mutating func run() throws {
    let path = environmentVariable("PATH")
    let tables = ProgramTables(configuration.config) { [scope] bytes, file in
      let (links, problems) = LinkConfiguration.load(bytes, file: file) { problem(ofProgram: $0, path: path) }
      return (links?.filter { scope == nil || $0.scope.rawValue == scope?.rawValue }, problems)
    }
    if check {
      return try tables.report(("link", "links")) { link in
        let mute = link.mute.map { " and \($0)" } ?? ""
        return "\(link.name): \(link.control)\(mute) ↔ \(link.target)"
      }
    }
    let which = scope.map { " of scope \"\($0.rawValue)\"" } ?? ""
    try tables.run(.link, needed: "[link.NAME]\(which)") {
      [address = daemon.address] links, logger, notices, _ in
      try LinkService(links, address: address, logger, notices).run()
      return false
    }
  }
}
