internal import ArgumentParser
internal import Varlink

/// Options of the commands that connect to the daemon. They may precede or follow the name of the command, because the
/// root command has them too.
struct GlobalOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The daemon's socket, a path, unix:PATH or unix:@NAME.", valueName: "path"),
    completion: .file())
  var address: String?

  @Option(help: ArgumentHelp("How long to wait for a reply: 500ms, 2s.", valueName: "time"))
  var timeout = DurationText(.seconds(5))

  @Flag(help: "Print JSON, one object per line.")
  var json = false

  /// Prints one line: `value` as JSON with `--json`, else `text`.
  func write(_ value: some JSONWritable, or text: @autoclosure () -> String) throws {
    if json { try Output.json(value) } else { Output.line(text()) }
  }
}
