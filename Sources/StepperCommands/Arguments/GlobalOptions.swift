internal import ArgumentParser
internal import StepperClient
internal import Varlink

/// Options of the commands that talk to the daemon.
struct GlobalOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The daemon's socket, a path or unix:PATH.", valueName: "path"),
    completion: .file())
  var address: String?

  @Option(help: ArgumentHelp("How long to wait for an answer: 500ms, 2s.", valueName: "time"))
  var timeout = DurationText(.seconds(5))

  @Flag(help: "Print JSON, one object per line.")
  var json = false

  /// Writes `value` in JSON if that is wanted, else `text`, as one line.
  func write(_ value: some JSONWritable, or text: @autoclosure () -> String) throws {
    if json { try Output.json(value) } else { Output.line(text()) }
  }

  /// Moves options that stand before the command's name behind it, because the parser knows them as options of commands only.
  static func moved(behindCommandOf arguments: [String]) -> [String] {
    var end = 0
    while end < arguments.count {
      let argument = arguments[end]
      if ["--address", "--timeout"].contains(argument) {
        end += 2
      } else if argument == "--json" || argument.hasPrefix("--address=") || argument.hasPrefix("--timeout=") {
        end += 1
      } else {
        break
      }
    }
    guard end > 0, end < arguments.count, !arguments[end].hasPrefix("-") else { return arguments }
    let command = end..<max(end + 1, endOfCommand(in: arguments, from: end))
    return Array(arguments[command] + arguments[..<end] + arguments[command.endIndex...])
  }

  /// The index behind the command's name, which is two words for commands with subcommands.
  private static func endOfCommand(in arguments: [String], from start: Int) -> Int {
    var end = start
    var commands = Stepperctl.configuration.subcommands
    while end < arguments.count,
      let command = commands.first(where: { $0.configuration.commandName == arguments[end] })
    {
      commands = command.configuration.subcommands
      end += 1
    }
    return end
  }
}
