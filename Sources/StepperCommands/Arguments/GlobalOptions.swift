internal import ArgumentParser
internal import StepperClient
internal import Varlink

/// Options of the commands that talk to the daemon. They may stand before and behind the name of the command, because the program
/// itself has them as well and hands them on.
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
}
